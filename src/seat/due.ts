import type { Clock } from '../bus/clock.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Turn } from './turn.ts';

/** Wakes each owner when it asked for, by one timer for the earliest of them. */
export class Due {
  #cancel = () => {};
  #next: number | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly kernel: Pick<Kernel, 'wakes'>,
    private readonly turn: Pick<Turn, 'take'>,
  ) {}

  /** To be called after each step. */
  follow(): void {
    let next: number | undefined;
    for (const at of this.kernel.wakes().values()) if (next === undefined || at < next) next = at;
    if (next === this.#next) return;
    this.stop();
    this.#next = next;
    if (next !== undefined) this.#cancel = this.clock.after(Math.max(0, next - this.clock.now()), () => this.#wake());
  }

  stop(): void {
    this.#cancel();
    this.#next = undefined;
  }

  #wake(): void {
    this.#next = undefined;
    this.turn.take(() => {
      const now = this.clock.now();
      const due = [...this.kernel.wakes()].filter(([, at]) => at <= now).map(([owner]) => ({ type: 'due', owner }) as const);
      // A timer may fire a little before the time of day says so.
      if (due.length === 0) this.follow();
      return due;
    });
  }
}
