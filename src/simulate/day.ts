import { inputBuckets } from '../bus/contracts/buckets.ts';
import { faults } from './faults.ts';
import { type Happening, HOUR_MS, type Kind } from './happening.ts';
import { life } from './life.ts';
import { BUILDS, CONSUMERS, NODES, PROVIDERS } from './mesh.ts';
import { Random } from './random.ts';

export const DAY_MS = 24 * HOUR_MS;
/** The last part of a day is calm: no fault, and an operator who answers. */
export const CALM_FROM_MS = 20 * HOUR_MS;
/** The first part too, so that there is something to lose. */
const FIRST_MS = HOUR_MS / 4;

export const kinds: Readonly<Record<string, Kind>> = { ...life, ...faults };
const BUCKETS = [...inputBuckets, 'mesh-router_asks', 'mesh-provisioner_provisions', 'router_bound'];

/** What happens in the day that a seed makes, in the order of its time. */
export function dayOf(seed: number): readonly Happening[] {
  const random = new Random(seed);
  const [lived, wrong] = [random.whole(20, 60), random.whole(4, 24)];
  const made = [
    ...Array.from({ length: lived }, () => happening(random, weighted(random, life))),
    ...Array.from({ length: wrong }, () => happening(random, weighted(random, faults))),
  ];
  return made.sort((one, other) => one.at - other.at);
}

function happening(random: Random, what: string): Happening {
  return {
    at: random.whole(FIRST_MS, CALM_FROM_MS - HOUR_MS),
    what,
    node: random.pick(NODES),
    module: random.pick(CONSUMERS),
    provider: random.pick(PROVIDERS),
    build: random.pick(BUILDS),
    bucket: random.pick(BUCKETS),
    which: random.whole(0, 1_000),
    // From a second to close to three hours, as many short ones as long ones.
    forMs: Math.round(10 ** (3 + 4 * random.next())),
  };
}

function weighted(random: Random, of: Readonly<Record<string, Kind>>): string {
  return random.pick(Object.entries(of).flatMap(([name, { weight }]) => Array.from({ length: weight }, () => name)));
}
