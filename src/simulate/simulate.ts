import type { SeatParts } from '../seat/run.ts';
import { dayOf } from './day.ts';
import { type NewBus, type RunResult, run } from './run.ts';
import { shortest } from './shrink.ts';

const SHRINK_RUNS_MAX = 80;

export interface SimulateParts {
  readonly seed: number;
  readonly runs: number;
  /** Of the seed's happenings, only those with these numbers, counted from 0. */
  readonly only?: readonly number[];
  readonly settings: SeatParts['settings'];
  readonly newBus: NewBus;
  say(line: string): void;
}

/** A seed whose day broke a promise, with the shortest part of its happenings that still does. */
export interface Failing {
  readonly seed: number;
  readonly only: readonly number[];
  readonly result: RunResult;
}

export interface Simulated {
  readonly runs: number;
  readonly writes: number;
  /** Of everything that was written in every run: the same for the same seed. */
  readonly digests: readonly string[];
  readonly failing?: Failing;
}

/** Lives one day after the other, each of the next seed, until a promise is broken. */
export async function simulate(parts: SimulateParts): Promise<Simulated> {
  const { seed: first, runs, settings, newBus, say } = parts;
  const digests: string[] = [];
  let writes = 0;
  for (let seed = first; seed < first + runs; seed += 1) {
    const happenings = dayOf(seed).map((happening, number) => ({ ...happening, number }));
    const chosen = parts.only === undefined ? happenings : happenings.filter(({ number }) => parts.only?.includes(number));
    const result = await run(seed, chosen, settings, newBus);
    digests.push(result.digest);
    writes += result.writes;
    if (result.broken !== undefined) {
      say(`seed ${seed}: ${result.broken.message}`);
      say('looking for the shortest run that still breaks it');
      const { promise } = result.broken;
      const breaks = async (part: readonly (typeof chosen)[number][]) =>
        (await run(seed, part, settings, newBus)).broken?.promise === promise;
      const part = await shortest(chosen, breaks, SHRINK_RUNS_MAX);
      const shrunk = await run(seed, part, settings, newBus);
      return { runs: digests.length, writes, digests, failing: { seed, only: part.map(({ number }) => number), result: shrunk } };
    }
    if (digests.length % 10 === 0) say(`${digests.length} of ${runs} days, ${writes} writes: every promise kept`);
  }
  return { runs, writes, digests };
}
