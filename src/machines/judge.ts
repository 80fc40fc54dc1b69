import { keyOf } from '../bus/contracts/tokens.ts';
import { judgePlans, type PlanChange } from './judge-plans.ts';
import type { KeyEvent } from './key-events.ts';
import { sortKeys, verdictOf } from './key-verdicts.ts';
import { brakeOf } from './node-brake.ts';
import type { NodeContext, PassEvent, PassReport } from './node-events.ts';
import { faultsOfPass } from './node-faults.ts';

/** What a pass decides: a value, computed for a dry run exactly as for a real one. */
export interface Decision {
  readonly born: readonly { readonly key: string; readonly module: string; readonly generation: number }[];
  readonly verdicts: readonly { readonly key: string; readonly event: KeyEvent }[];
  readonly plans: readonly PlanChange[];
  readonly context: Pick<NodeContext, 'unneeded' | 'samples' | 'brake' | 'word' | 'faults' | 'held' | 'wakeAt' | 'plans'>;
  readonly report: PassReport;
}

/** Judges every key and plan of a node from one whole picture (rule groups C, K, B). */
export function judge(context: NodeContext, pass: PassEvent): Decision {
  const { composed, at } = pass;
  const sorted = sortKeys(context, pass);
  const plans = judgePlans(context, pass);
  const waiting = sorted.candidates.filter((candidate) => !candidate.unasked);
  const braking = brakeOf(context, pass, waiting);
  const retires = waiting.filter((candidate) => candidate.ready && !braking.stops(candidate.consumer));
  const verdicts = [...sorted.verdicts];
  for (const candidate of sorted.candidates) verdicts.push({ key: candidate.key, event: verdictOf(context, pass, candidate, braking) });
  verdicts.sort((one, other) => (one.key < other.key ? -1 : 1));
  const held =
    Object.keys(composed.consumers).length > 0 && Object.values(composed.consumers).every((consumer) => consumer.hold !== undefined);
  const unneeded = {
    ...Object.fromEntries(sorted.candidates.map(({ key, since }) => [key, dwell(context, key, since)])),
    ...plans.unneeded,
  };
  const stillDwelling = [...sorted.candidates.filter(({ ready }) => !ready), ...Object.values(plans.unneeded)];
  const dwellsEnd = stillDwelling.map(({ since }) => since + context.settings.dwellMs);
  const faults = faultsOfPass(context, pass, braking.brake);
  const brakeFault = faults[`brake.${keyOf(context.node)}`];
  return {
    born: sorted.born,
    verdicts,
    plans: plans.changes,
    context: {
      unneeded,
      samples: braking.samples,
      brake: braking.brake,
      word: braking.word,
      faults,
      held,
      plans: plans.stand,
      wakeAt: earliest([...dwellsEnd, braking.wakeAt, composed.wakeAt], at),
    },
    report: {
      judged: verdicts.length,
      retires: retires.map(({ key }) => key),
      ...(brakeFault === undefined ? {} : { braked: brakeFault }),
    },
  };
}

function dwell(context: NodeContext, key: string, since: number): { since: number; passes: number } {
  return { since, passes: (context.unneeded[key]?.passes ?? 0) + 1 };
}

function earliest(times: readonly (number | undefined)[], at: number): number | undefined {
  const known = times.filter((time) => time !== undefined).map((time) => Math.max(time, at));
  return known.length === 0 ? undefined : Math.min(...known);
}
