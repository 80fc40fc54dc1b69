import type { Fault } from '../bus/contracts/faults.ts';
import type { EffectEmitted } from './effects.ts';

/** Standing faults by their key on the bus. */
export type Faults = Readonly<Record<string, Fault>>;

const FAULTS = 'mesh-provisioner_faults';

/** What turns the faults that stand on the bus into those that stand now. */
export function faultEffects(before: Faults, now: Faults): readonly EffectEmitted[] {
  if (before === now) return [];
  const puts = Object.entries(now)
    .filter(([key, fault]) => fault !== before[key] && JSON.stringify(fault) !== JSON.stringify(before[key]))
    .map(([key, value]): EffectEmitted => ({ type: 'effect', effect: { kind: 'put', bucket: FAULTS, key, value } }));
  const deletes = Object.keys(before)
    .filter((key) => now[key] === undefined)
    .map((key): EffectEmitted => ({ type: 'effect', effect: { kind: 'delete', bucket: FAULTS, key } }));
  return [...puts, ...deletes];
}
