import type { JetStreamSubscription, JsMsg } from 'nats';
import { BusError } from '../port.ts';

/**
 * The messages of one ordered consumer. The client would mend a consumer by itself, 13 s after a restart and silently wrong after the
 * stream was made anew; so a feed is lost with the connection, and who wants more opens another.
 */
export class Feed<T> implements AsyncIterable<T> {
  #stopped = false;
  #lost: BusError | undefined;

  constructor(
    private readonly subscription: JetStreamSubscription,
    private readonly what: string,
    private readonly read: (message: JsMsg) => T,
    private readonly onEnd: () => void,
  ) {}

  lose(why: string): void {
    this.#lost ??= new BusError('watch-lost', `${this.what}: ${why}`);
    this.subscription.unsubscribe();
  }

  stop(): void {
    this.#stopped = true;
    this.subscription.unsubscribe();
    this.onEnd();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    try {
      for await (const message of this.subscription) {
        if (this.#stopped) return;
        if (this.#lost !== undefined) throw this.#lost;
        yield this.read(message);
      }
    } catch (cause) {
      this.lose((cause as Error).message);
    } finally {
      this.onEnd();
      this.subscription.unsubscribe();
    }
    if (!this.#stopped) throw this.#lost ?? new BusError('watch-lost', `${this.what}: the connection was closed`);
  }
}
