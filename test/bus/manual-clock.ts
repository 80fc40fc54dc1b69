import type { Clock } from '../../src/bus/clock.ts';

/** A clock that stands still until it is advanced. */
export class ManualClock implements Clock {
  #now = 0;
  readonly #timers = new Set<{ readonly at: number; readonly act: () => void }>();

  now(): number {
    return this.#now;
  }

  after(ms: number, act: () => void): () => void {
    const timer = { at: this.#now + ms, act };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** How many timers have not fired yet. */
  get waiting(): number {
    return this.#timers.size;
  }

  /** Moves on, and calls what falls due in the order of its time. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#timers.delete(next);
      this.#now = next.at;
      next.act();
    }
    this.#now = end;
  }

  #next(end: number) {
    return [...this.#timers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
  }
}
