import type { Clock } from '../bus/clock.ts';

const LOOK_EVERY_MS = 5_000;
const SLEPT_MS = 30_000;

/**
 * Tells that the process stood still, or that the time of day jumped ahead, for over 30 s (P9). It is looked for every 5 s, and before
 * each turn: after a sleep every timer is due at once, and one of another deadline may be the first.
 */
export class Sleep {
  #before: number;
  #dayBefore: number;
  #sleptMs = 0;
  #cancel = () => {};

  /** @param woke is called where a sleep is seen and nobody asked yet how long it was */
  constructor(
    private readonly clock: Clock,
    private readonly dayTime: () => number,
    private readonly woke: () => void,
  ) {
    this.#before = clock.now();
    this.#dayBefore = dayTime();
    this.#lookLater();
  }

  /** How long it slept, in milliseconds, since this was last asked; 0 where it did not. */
  takeSlept(): number {
    this.#look();
    const slept = this.#sleptMs;
    this.#sleptMs = 0;
    return slept;
  }

  stop(): void {
    this.#cancel();
  }

  #lookLater(): void {
    this.#cancel = this.clock.after(LOOK_EVERY_MS, () => {
      this.#lookLater();
      this.#look();
      if (this.#sleptMs > 0) this.woke();
    });
  }

  #look(): void {
    const [now, day] = [this.clock.now(), this.dayTime()];
    const late = Math.max(now - this.#before, day - this.#dayBefore) - LOOK_EVERY_MS;
    if (late > SLEPT_MS) this.#sleptMs += Math.round(late);
    this.#before = now;
    this.#dayBefore = day;
  }
}
