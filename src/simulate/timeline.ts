import { setImmediate } from 'node:timers/promises';

interface Due {
  readonly at: number;
  readonly order: number;
  act: (() => void) | undefined;
}

/**
 * The only time there is in a run, in milliseconds since it began. What is due is done one after the other, and each is given until
 * nothing of what it led to is left to do before the next: that makes a run the same every time.
 */
export class Timeline {
  #now = 0;
  #orders = 0;
  readonly #heap: Due[] = [];

  now(): number {
    return this.#now;
  }

  /** Calls once, after so long; returns how to call it off. */
  after(ms: number, act: () => void): () => void {
    this.#orders += 1;
    const due: Due = { at: this.#now + Math.max(0, ms), order: this.#orders, act };
    this.#push(due);
    return () => {
      due.act = undefined;
    };
  }

  /** @param stop asked after everything that was done */
  async run(until: number, stop: () => boolean): Promise<void> {
    for (let next = this.#heap[0]; next !== undefined && next.at <= until; next = this.#heap[0]) {
      this.#pop();
      if (next.act === undefined) continue;
      this.#now = next.at;
      next.act();
      await this.#settled();
      if (stop()) return;
    }
    this.#now = until;
  }

  async #settled(): Promise<void> {
    let before: number;
    do {
      before = this.#orders;
      await setImmediate();
    } while (this.#orders !== before);
  }

  #push(due: Due): void {
    let at = this.#heap.push(due) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(due, this.#heap[parent]!)) break;
      this.#heap[at] = this.#heap[parent]!;
      at = parent;
    }
    this.#heap[at] = due;
  }

  #pop(): void {
    const last = this.#heap.pop()!;
    if (this.#heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#heap.length) break;
      if (child + 1 < this.#heap.length && isBefore(this.#heap[child + 1]!, this.#heap[child]!)) child += 1;
      if (!isBefore(this.#heap[child]!, last)) break;
      this.#heap[at] = this.#heap[child]!;
      at = child;
    }
    this.#heap[at] = last;
  }
}

function isBefore(one: Due, other: Due): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
