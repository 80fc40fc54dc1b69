import type { Clock } from '../bus/clock.ts';
import type { Timeline } from './timeline.ts';

/** When a run begins, by the time of day. */
export const BEGAN = Date.parse('2026-11-02T00:00:00.000Z');

/**
 * A process of the run: its timers, and whatever comes to it, reach it while it lives and is not frozen. A frozen one gets all of it, in
 * order, as it thaws; a killed one gets nothing any more.
 */
export class Process {
  #isAlive = true;
  #isFrozen = false;
  #held: (() => void)[] = [];
  #dayAhead = 0;
  readonly #hear = new Set<(connected: boolean) => void>();

  constructor(
    readonly name: string,
    private readonly timeline: Timeline,
  ) {}

  /** Monotonic. */
  readonly clock: Clock = {
    now: () => this.timeline.now(),
    after: (ms, act) => this.#after(ms, act),
  };

  /** The time of day: it may jump. */
  readonly dayClock: Clock = {
    now: () => BEGAN + this.timeline.now() + this.#dayAhead,
    after: (ms, act) => this.#after(ms, act),
  };

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Lets something reach the process, now or as it thaws. */
  reach(act: () => void): void {
    if (!this.#isAlive) return;
    if (this.#isFrozen) this.#held.push(act);
    else act();
  }

  kill(): void {
    this.#isAlive = false;
    this.#held = [];
  }

  freeze(): void {
    this.#isFrozen = true;
  }

  thaw(): void {
    this.#isFrozen = false;
    for (const act of this.#held.splice(0)) this.timeline.after(0, () => this.reach(act));
  }

  jump(ms: number): void {
    this.#dayAhead += ms;
  }

  onConnection(listener: (connected: boolean) => void): () => void {
    this.#hear.add(listener);
    return () => this.#hear.delete(listener);
  }

  tellConnected(connected: boolean): void {
    for (const hear of [...this.#hear]) this.reach(() => hear(connected));
  }

  #after(ms: number, act: () => void): () => void {
    let isOff = false;
    const cancel = this.timeline.after(ms, () =>
      this.reach(() => {
        if (!isOff) act();
      }),
    );
    return () => {
      isOff = true;
      cancel();
    };
  }
}
