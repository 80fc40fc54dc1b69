import { keyOf } from '../bus/contracts/tokens.ts';
import type { Composed, OfferFault, PlanVerdict, Standing } from './composed.ts';
import { type Considered, consideredOn } from './consumers.ts';
import { order, sortedRecord } from './evidence.ts';
import { Needs, neededDependency, neededKey, type Wording } from './needs.ts';
import { Pass } from './pass.ts';
import type { Picture } from './picture.ts';
import { planOf } from './plan.ts';

/**
 * What is needed on a node, of whom, and what its modules are to be filled with: a pure function of the picture and of what stands,
 * whatever the order in which it arrived (C9). The picture is told what was used, so that a change of it touches the node.
 */
export function composeNode(picture: Picture, node: string, standing: Standing, at: number, dwellMs: number): Composed {
  const pass = new Pass(picture, node, standing, at, dwellMs);
  const considered = consideredOn(picture, node);
  const needs = needsOf(pass, considered);
  const plans: (readonly [string, PlanVerdict])[] = [];
  for (const consumer of considered) {
    const plan = planOf(pass, consumer, needs);
    if (plan !== undefined) plans.push([consumer.key, plan]);
  }
  pass.noteUse(needs.byKey.values());
  return {
    consumers: sortedRecord(considered.map(({ key, consumer }) => [key, consumer] as const)),
    needs: sortedRecord(needs.byKey),
    plans: sortedRecord(plans),
    offerFaults: distinct(pass.offerFaults),
    ...(pass.wakeAt !== undefined && { wakeAt: pass.wakeAt }),
  };
}

/** Every key that a composition needs, and every one that such a key depends on (C2, C6). */
function needsOf(pass: Pass, considered: readonly Considered[]): Needs {
  const needs = new Needs();
  for (const wording of considered.flatMap(wordingsOf)) needs.add(neededKey(pass, wording));
  for (const need of [...needs.byKey.values()]) {
    for (const key of need.dependsOn ?? pass.standing.keys[need.key]?.dependsOn ?? []) {
      if (needs.get(key) === undefined) needs.add(neededDependency(pass, key, need));
    }
  }
  return needs;
}

/** What a consumer's builds need; where they differ on a key, the first one's words are asked (C2). */
function wordingsOf(consumer: Considered): readonly Wording[] {
  const wordings = new Map<string, Wording & { readonly builds: string[] }>();
  for (const [build, composition] of consumer.compositions) {
    for (const need of composition.needs) {
      const key = `${consumer.key}.${keyOf(need.provision, ...(need.local === undefined ? [] : [need.local]))}`;
      const first = wordings.get(key);
      if (first === undefined) wordings.set(key, { key, consumer, need, builds: [build] });
      else first.builds.push(build);
    }
  }
  return [...wordings.values()];
}

function distinct(faults: readonly OfferFault[]): readonly OfferFault[] {
  const named = faults.map((fault) => [keyOf(fault.provider.node, fault.provider.module, fault.provision), fault] as const);
  return [...new Map(named)].sort(([one], [other]) => order(one, other)).map(([, fault]) => fault);
}
