import { Failure } from '../failure.ts';
import { resolveSettings } from '../settings.ts';
import type { Simulated, SimulateParts } from '../simulate/simulate.ts';
import type { Terminal } from './terminal.ts';

/** Longer than in use: a day of renewing a short lease would be mostly that. */
const LEASE_MS = '600000';
const REGISTRY_MS = '86400000';

/** What simulating stands on. */
export interface Simulating {
  readonly terminal: Terminal;
  /** Lives simulated days, and tells of the first that breaks a promise. */
  simulate(parts: Omit<SimulateParts, 'newBus'>): Promise<Simulated>;
}

export interface SimulateOptions {
  readonly seed: number;
  readonly runs: number;
  readonly only?: readonly number[];
  readonly json?: boolean;
}

/** Lives the days; the first that breaks a promise is printed with its shortest trace, and ends the command with 1. */
export async function simulated({ terminal, simulate }: Simulating, { seed, runs, only, json }: SimulateOptions): Promise<void> {
  const settings = resolveSettings({ environment: {}, flags: { leaseMs: LEASE_MS, registryMs: REGISTRY_MS } });
  const { failing, writes, digests } = await simulate({
    seed,
    runs,
    settings,
    say: terminal.say,
    ...(only === undefined ? {} : { only }),
  });
  if (json === true) terminal.out(JSON.stringify({ runs: digests.length, writes, digests, failing }));
  if (failing === undefined) {
    if (json !== true) terminal.out(`${runs} days from seed ${seed}, ${writes} writes: every promise kept`);
    return;
  }
  const again = `mesh-provisioner simulate --seed ${failing.seed} --runs 1 --only ${failing.only.join(',')}`;
  if (json !== true) for (const line of failing.result.lines) terminal.out(line);
  throw new Failure('failed', `a promise was broken: ${failing.result.broken?.message}\nto see it again: ${again}`);
}
