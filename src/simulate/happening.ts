import type { Operator } from './operator.ts';
import type { Seats } from './seats.ts';
import type { Timeline } from './timeline.ts';
import type { World } from './world.ts';

/**
 * One thing that happens in a run. Which of what stands it befalls is `which`, counted off as it happens, so that a run stays a run when
 * others are left out of it.
 */
export interface Happening {
  /** Milliseconds since the run began. */
  readonly at: number;
  readonly what: string;
  readonly node: string;
  readonly module: string;
  readonly provider: string;
  readonly build: string;
  readonly bucket: string;
  readonly which: number;
  readonly forMs: number;
}

/** What a happening befalls. */
export interface Stage {
  readonly world: World;
  readonly seats: Seats;
  readonly operator: Operator;
  readonly timeline: Timeline;
}

/** A kind of happening: how often it comes beside the others, and what it does. Where there is nothing to befall, nothing happens. */
export interface Kind {
  readonly weight: number;
  befall(stage: Stage, happening: Happening): void;
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/** Does something once the happening is over, or after so long where it would take longer. */
export function later({ timeline }: Stage, { forMs }: Happening, mostMs: number, act: () => void): void {
  timeline.after(Math.min(forMs, mostMs), act);
}

/** One of a list by the happening's number. */
export function counted<T>(list: readonly T[], { which }: Happening): T | undefined {
  return list[which % Math.max(1, list.length)];
}
