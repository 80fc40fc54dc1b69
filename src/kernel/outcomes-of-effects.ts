import type { Plan } from '../bus/contracts/plans.ts';
import type { Provision } from '../bus/contracts/provisions.ts';
import { namesOf } from '../bus/contracts/tokens.ts';
import type { Effect, OwedEffect } from '../machines/effects.ts';
import type { Fact } from '../machines/facts.ts';
import { foundNeeded } from './evidence-of-keys.ts';
import { pieceOfRoot } from './piece-names.ts';
import type { Telling } from './telling.ts';

type Outcome = Extract<Fact, { type: 'done' | 'refused' | 'withheld' | 'proved' }>;

const PROVISIONS = 'mesh-provisioner_provisions';
const PLANS = 'mesh-provisioner_plans';

/** Takes what became of an effect; returns it where it is owed no more. What was refused is tried again, but for a raise and a proof. */
export function outcome(telling: Telling, fact: Outcome): OwedEffect | undefined {
  const { at, kernel, owed, tell } = telling;
  const one = kernel.memory.owed.get(fact.effect);
  if (one === undefined) return undefined;
  const { effect, owner } = one;
  kernel.memory.changed.add(pieceOfRoot(owner));
  if (fact.type === 'refused' && effect.kind !== 'raise' && effect.kind !== 'prove') {
    owed.refuse(one, fact.says, at);
    return undefined;
  }
  owed.settle(one);
  const isDone = fact.type === 'done';
  const says = 'says' in fact ? fact.says : '';
  if (effect.kind === 'raise')
    tell(isDone ? { type: 'raise acknowledged', at, id: effect.ask } : { type: 'raise refused', at, id: effect.ask, says });
  else if (effect.kind === 'end') tell({ type: 'end acknowledged', at, id: effect.ask });
  else if (effect.kind === 'prove') proved(telling, effect.key, fact);
  else if (isDone) written(telling, owner, effect);
  return one;
}

/** What the seat shows is what its writes were acknowledged for (E5). */
function written({ at, kernel, carry }: Telling, owner: string, effect: Extract<Effect, { kind: 'put' | 'delete' }>): void {
  const { bucket, key } = effect;
  const { plans, shown } = kernel.memory;
  if (bucket === PLANS) {
    if (effect.kind === 'put') plans.set(key, effect.value as Plan);
    else plans.delete(key);
  }
  if (bucket !== PROVISIONS) return;
  if (effect.kind === 'put') {
    const entry = effect.value as Provision;
    shown.set(key, entry);
    carry(owner, { type: 'entry written', at, key, state: entry.state });
  } else {
    shown.delete(key);
    carry(owner, { type: 'entry deleted', at, key });
  }
}

function proved({ at, kernel, tellNode }: Telling, key: string, fact: Outcome): void {
  const [node] = namesOf(key) ?? [];
  if (node === undefined) return;
  if (fact.type !== 'proved') {
    tellNode(node, { type: 'proof failed', at, key });
    return;
  }
  const needed = foundNeeded(kernel.picture, key, fact.entries);
  tellNode(node, { type: 'proof read', at, key, ...(needed === undefined ? {} : { needed }) });
}
