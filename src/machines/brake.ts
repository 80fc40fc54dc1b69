/** The consumers a decision of the brake is made from, `<node>.<module>` each. */
export interface BrakeCounts {
  /** Every consumer one of whose keys would newly retire, those still dwelling too (B1, B7). */
  readonly newly: readonly string[];
  /** Consumers already retiring, and those retired within the window (B3). */
  readonly before: readonly string[];
  /** The most consumers there were in the window; those held or kept count on neither side (B1, B3). */
  readonly population: number;
}

/** More than this many consumers of one node never retire at once. */
export const RETIRE_MAX = 3;

/** Whether a pass would take too much of a node at once: more than 3 consumers, or more than half of them and at least 2 (B1, B3). */
export function wouldRetireTooMany({ newly, before, population }: BrakeCounts): boolean {
  const taken = new Set([...newly, ...before]).size;
  return newly.length > 0 && (taken > RETIRE_MAX || isMoreThanHalf(taken, population));
}

/** More than half of these consumers, and at least 2. */
export function isMoreThanHalf(taken: number, population: number): boolean {
  return taken >= 2 && taken * 2 > Math.max(population, taken);
}

/** A brake that stands: since when, and the consumers that would newly retire. */
export interface Brake {
  readonly since: number;
  readonly consumers: readonly string[];
  /** Since when the set has stood unchanged and under the limit (B5). */
  readonly calmSince?: number;
}

/** What would newly retire now, whether that is too much, and whether the dwell of one of them has ended. */
export interface BrakeNow {
  readonly at: number;
  readonly newly: readonly string[];
  readonly over: boolean;
  readonly wouldRetire: boolean;
}

/** Once braked, braked until nothing would retire, or the set stood unchanged and under the limit long enough (B5). */
export function latched(brake: Brake | undefined, now: BrakeNow, settleMs: number): Brake | undefined {
  if (now.newly.length === 0) return undefined;
  if (brake === undefined) return now.over && now.wouldRetire ? { since: now.at, consumers: now.newly } : undefined;
  if (now.over) return { since: brake.since, consumers: now.newly };
  const unchanged =
    now.newly.length === brake.consumers.length && now.newly.every((consumer, index) => consumer === brake.consumers[index]);
  const calmSince = unchanged && brake.calmSince !== undefined ? brake.calmSince : now.at;
  return now.at - calmSince >= settleMs ? undefined : { since: brake.since, consumers: now.newly, calmSince };
}

/** The consumers a node was seen to have, for as long as the window remembers them. */
export interface Sample {
  readonly at: number;
  readonly consumers: readonly string[];
}

/** Adds what is seen now; drops what the window forgets and what a later sample holds wholly. */
export function remember(samples: readonly Sample[], now: Sample, windowMs: number): readonly Sample[] {
  const present = new Set(now.consumers);
  const kept = samples.filter((sample) => sample.at > now.at - windowMs && !sample.consumers.every((consumer) => present.has(consumer)));
  return [...kept, now];
}

export function mostConsumers(samples: readonly Sample[], uncounted: ReadonlySet<string>): number {
  return Math.max(0, ...samples.map((sample) => sample.consumers.filter((consumer) => !uncounted.has(consumer)).length));
}
