import type { Observed } from './observed.ts';
import type { Players } from './players.ts';
import type { World } from './world.ts';

/** Who takes part in a story. */
export interface Cast {
  readonly world: World;
  readonly players: Players;
  readonly observed: Observed;
}

/** What a command says of its own, beside what it leads to. */
export type Said = readonly string[] | undefined;
export type Command = (cast: Cast, words: readonly string[]) => Promise<Said> | Said;

const SECOND = 1_000;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: SECOND, m: 60 * SECOND, h: 3600 * SECOND, d: 86_400 * SECOND };

export function milliseconds(text: string): number {
  const [, number, unit] = /^(\d+)(ms|s|m|h|d)$/.exec(text) ?? [];
  if (number === undefined || unit === undefined) throw new Error(`"${text}" is no time: expected such as 60s, 5m or 2h`);
  return Number(number) * UNITS[unit]!;
}
