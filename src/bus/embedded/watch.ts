import { setImmediate } from 'node:timers/promises';
import { type BusEntry, BusError, type Watch } from '../port.ts';
import type { Stored, StreamStore } from './store.ts';

const READ_AT_ONCE = 256;

/** A watch that reads on in the store whenever it is woken: what was overwritten before it came there is not seen, as on a server. */
export class EmbeddedWatch implements Watch {
  #cursor: number;
  #wake: (() => void) | undefined;
  #ended: 'stopped' | BusError | undefined;

  /** @param lastOnlyTo up to this sequence the last message of each key alone is delivered */
  constructor(
    private readonly store: StreamStore,
    private readonly stream: string,
    private readonly lastOnlyTo: number,
    after: number,
    private readonly onStop: () => void,
  ) {
    this.#cursor = after;
  }

  wake(): void {
    this.#wake?.();
  }

  lose(why: string): void {
    this.#ended ??= new BusError('watch-lost', why);
    this.wake();
  }

  stop(): void {
    this.#ended ??= 'stopped';
    this.wake();
    this.onStop();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<BusEntry> {
    try {
      while (this.#goesOn()) {
        const messages = this.store.after(this.stream, this.#cursor, READ_AT_ONCE);
        for (const message of messages) {
          if (!this.#goesOn()) return;
          this.#cursor = message.sequence;
          if (message.sequence > this.lastOnlyTo || this.store.wasLast(this.stream, message, this.lastOnlyTo)) yield entryOf(message);
        }
        if (messages.length > 0) await setImmediate();
        else await this.#woken();
      }
    } finally {
      this.stop();
    }
  }

  #goesOn(): boolean {
    if (this.#ended instanceof BusError) throw this.#ended;
    return this.#ended === undefined;
  }

  #woken(): Promise<void> {
    return new Promise((done) => {
      this.#wake = done;
    });
  }
}

export function entryOf({ subject, sequence, text, id, epoch }: Stored): BusEntry {
  return { key: subject, revision: sequence, text, id, epoch };
}
