import type { Clock } from '../../src/bus/clock.ts';

interface Timer {
  readonly at: number;
  readonly act: () => void;
}

/** Time that stands still until it is told to go on, and then stops wherever a timer is due. Milliseconds since the story began. */
export class StoryClock {
  #now = 0;
  readonly #timers = new Set<Timer>();

  get now(): number {
    return this.#now;
  }

  /** Goes to the next instant at which a timer is due, or to the end, and calls what is due then; `false` once it is at the end. */
  step(end: number): boolean {
    const next = Math.min(end, ...[...this.#timers].map(({ at }) => at));
    this.#now = Math.max(this.#now, next);
    return this.fireDue() || this.#now < end;
  }

  /** Calls what is due at this instant; `false` where nothing was. */
  fireDue(): boolean {
    const due = [...this.#timers].filter(({ at }) => at <= this.#now);
    for (const timer of due) if (this.#timers.delete(timer)) timer.act();
    return due.length > 0;
  }

  after(ms: number, act: () => void): () => void {
    const timer = { at: this.#now + Math.max(ms, 0), act };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }
}

/** The story's time as one process has it: it can be frozen, it can die, and its time of day can be set. */
export class ProcessClock {
  readonly #cancels = new Set<() => void>();
  #isFrozen = false;
  #due: (() => void)[] = [];
  /** How far its time of day has jumped ahead. */
  #ahead = 0;

  constructor(
    private readonly time: StoryClock,
    private readonly dayAtZero: number,
  ) {}

  readonly monotonic: Clock = { now: () => this.time.now, after: (ms, act) => this.#after(ms, act) };
  readonly day: Clock = { now: () => this.dayAtZero + this.time.now + this.#ahead, after: (ms, act) => this.#after(ms, act) };

  jump(ms: number): void {
    this.#ahead += ms;
  }

  freeze(): void {
    this.#isFrozen = true;
  }

  /** What fell due meanwhile is due at once. */
  wake(): void {
    this.#isFrozen = false;
    for (const act of this.#due.splice(0)) act();
  }

  die(): void {
    for (const cancel of this.#cancels) cancel();
    this.#due = [];
  }

  #after(ms: number, act: () => void): () => void {
    const call = () => {
      this.#cancels.delete(cancel);
      if (this.#isFrozen) this.#due.push(call);
      else act();
    };
    const inTime = this.time.after(ms, call);
    const cancel = () => {
      inTime();
      this.#due = this.#due.filter((one) => one !== call);
      this.#cancels.delete(cancel);
    };
    this.#cancels.add(cancel);
    return cancel;
  }
}
