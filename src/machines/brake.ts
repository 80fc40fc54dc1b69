/** The consumers a decision of the brake is made from, `<node>.<module>` each. */
export interface BrakeCounts {
  /** Every consumer one of whose keys would newly retire, those still dwelling too (B1, B7). */
  readonly newly: readonly string[];
  /** Consumers already retiring, and those retired within the window (B3). */
  readonly before: readonly string[];
  /** The most consumers there were in the window; those held or kept count on neither side (B1, B3). */
  readonly population: number;
}

/** More than this many consumers never retire at once. */
export const RETIRE_MAX = 3;

/** Whether a pass would take too much at once: more than 3 consumers, or more than half of them and at least 2 (B1, B3). */
export function wouldRetireTooMany(counts: BrakeCounts): boolean {
  const { newly, before, population } = counts;
  if (newly.length === 0) return false;
  const taken = new Set([...newly, ...before]).size;
  return taken > RETIRE_MAX || (taken >= 2 && taken * 2 > Math.max(population, taken));
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
