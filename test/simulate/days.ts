import { expect } from 'vitest';
import { EmbeddedBus } from '../../src/bus/embedded/embedded-bus.ts';
import { resolveSettings } from '../../src/settings.ts';
import { type Simulated, simulate } from '../../src/simulate/simulate.ts';

const settings = resolveSettings({ environment: {}, flags: { leaseMs: '600000', registryMs: '86400000' } });

/** How many days the suite lives, of the first seeds; `SIMULATED_DAYS` for a longer run. */
export const DAYS = Number(process.env.SIMULATED_DAYS ?? 60);

export async function live(seed: number, runs: number, only?: readonly number[]): Promise<Simulated> {
  return simulate({
    seed,
    runs,
    settings,
    newBus: (clock) => EmbeddedBus.inMemory(clock),
    say: () => {},
    ...(only === undefined ? {} : { only }),
  });
}

/** Fails with the seed, and how to see it again, where a promise was broken. */
export function expectKept({ failing }: Simulated): void {
  const again = failing === undefined ? '' : `simulate --seed ${failing.seed} --runs 1 --only ${failing.only.join(',')}`;
  expect([failing?.result.broken?.message, again, ...(failing?.result.lines ?? [])].join('\n').trim()).toBe('');
}
