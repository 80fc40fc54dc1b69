/** The one source of randomness of a run: the same seed gives the same numbers. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** At least 0 and below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `least` on and below `most`. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least));
  }

  chance(of: number): boolean {
    return this.next() < of;
  }

  /** Throws a `RangeError` where there is nothing to pick. */
  pick<T>(from: readonly T[]): T {
    if (from.length === 0) throw new RangeError('there is nothing to pick from');
    return from[this.whole(0, from.length)] as T;
  }
}
