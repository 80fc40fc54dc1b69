import type { Step } from '../../kernel/kernel.ts';
import { SUPERVISOR } from '../../machines/effects.ts';
import type { JournalRecord } from '../../machines/facts.ts';

export type MarkKind = 'seat' | 'gate-open' | 'gate-shut' | 'brake' | 'brake-over' | 'ask' | 'answer';

/** A moment worth going to on the slider. */
export interface Mark {
  readonly seq: number;
  readonly at: number;
  readonly kind: MarkKind;
  readonly says: string;
}

const FAULTS = 'mesh-provisioner_faults';

/** The marks of one record: who took the seat, the gate, brakes, asks and answers. */
export function marksOf(seq: number, { at, facts }: JournalRecord, { effects, moves }: Step): Mark[] {
  const marks: Mark[] = [];
  const mark = (kind: MarkKind, says: string) => marks.push({ seq, at, kind, says });
  for (const fact of facts) {
    if (fact.type === 'seat-taken') mark('seat', `${fact.instance} takes the seat`);
    if (fact.type !== 'word' || fact.verb !== 'mesh-router.answer') continue;
    const { answer, by, id } = fact.request as { answer: string; by: string; id: string };
    mark('answer', `${answer} by ${by}: ${id}`);
  }
  const gate = moves.filter(({ actor }) => actor === SUPERVISOR).at(-1);
  if (gate?.to === 'judging') mark('gate-open', 'the gate opens');
  if (gate?.to === 'loading') mark('gate-shut', `the gate shuts${whyShut(facts)}`);
  for (const { effect } of effects) {
    if (effect.kind === 'raise') mark('ask', effect.question);
    if (!('bucket' in effect) || effect.bucket !== FAULTS || !/^(mesh-)?brake\./.test(effect.key)) continue;
    if (effect.kind === 'put') mark('brake', (effect.value as { says: string }).says);
    else mark('brake-over', `${effect.key} is over`);
  }
  return marks;
}

function whyShut(facts: JournalRecord['facts']): string {
  const missing = facts.find((fact) => fact.type === 'missing');
  return missing === undefined ? '' : `: ${missing.read}: ${missing.why}`;
}
