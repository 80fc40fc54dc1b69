import type { Evidence } from '../bus/contracts/common.ts';
import type { Composition } from '../bus/contracts/compositions.ts';
import type { PlanValue } from '../bus/contracts/plans.ts';
import type { PlanVerdict } from './composed.ts';
import type { Considered } from './consumers.ts';
import { evidenceOf, sortedRecord } from './evidence.ts';
import type { Needs } from './needs.ts';
import type { Pass } from './pass.ts';
import { placeholdersOf } from './placeholders.ts';
import type { HoldReason } from './reasons.ts';
import { valueIn } from './values.ts';
import { sayReason } from './words.ts';

/**
 * The plan of a module with a want, composed at its wanted build; no other module has one. While that composition is not read, or an entry
 * behind the plan cannot be read (P6), the plan that stands stays, but for `held`; where none stands it is composed at the build that runs (C7).
 */
export function planOf(pass: Pass, module: Considered, needs: Needs): PlanVerdict | undefined {
  const { builds, compositions, consumer, key } = module;
  if (pass.picture.entry('want', key) === undefined) return undefined;
  const stands = Object.hasOwn(pass.standing.plans, key);
  if (stands && (consumer.hold?.because === 'unreadable' || consumer.hold?.because === 'names-clash')) return stand(consumer.hold);
  for (const build of stands ? [builds.wanted] : [builds.wanted, builds.running]) {
    const composition = build === undefined ? undefined : compositions.get(build);
    if (build !== undefined && composition !== undefined) return composed(pass, module, build, composition, needs, stands);
  }
  return stand(consumer.hold!);
}

function composed(pass: Pass, module: Considered, build: string, composition: Composition, needs: Needs, stands: boolean): PlanVerdict {
  const { place, consumer } = module;
  const evidence: (readonly Evidence[])[] = [];
  const values = new Map<string, PlanValue>();
  for (const placeholder of placeholdersOf([composition.fills, composition.contributes])) {
    if (placeholder.kind === 'malformed') continue;
    const found = valueIn(pass, module, placeholder, needs);
    if (stands && found.unreadable) return { do: 'stand', held: `what ${placeholder.written} stands for cannot be read` };
    evidence.push(found.evidence);
    if (found.value !== undefined) values.set(`${placeholder.kind}:${placeholder.name}`, found.value);
  }
  const provisions = needs.of(place.module).filter((need) => need.builds.includes(build));
  return {
    do: 'put',
    plan: {
      build,
      ...(consumer.hold && { held: sayReason(consumer.hold) }),
      values: sortedRecord(values),
      fills: composition.fills,
      provisions: provisions.map((need) => need.key).sort(),
      collections: composition.contributes,
      evidence: [...evidenceOf(consumer.evidence, ...evidence)],
    },
  };
}

function stand(hold: HoldReason): PlanVerdict {
  return { do: 'stand', held: sayReason(hold) };
}
