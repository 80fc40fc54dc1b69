import type { BusEntry, Watch } from '../../src/bus/port.ts';
import { next, type Trouble } from './trouble.ts';

/** A watch of a bucket that can be held back, and lost. */
export class StoryWatch implements Watch {
  /** The revision it brought last. */
  seen = 0;
  isHeld = false;
  #brought = 0;
  readonly #openedAt = next();
  #lose: (why: Error) => void = () => {};
  readonly #lost = new Promise<never>((_, lose) => {
    this.#lose = lose;
  });

  constructor(
    private readonly inner: Watch,
    readonly bucket: string,
    private readonly trouble: Trouble,
    private readonly on: { moved(): void; stopped(): void },
  ) {
    this.#lost.catch(() => {});
  }

  stop(): void {
    this.inner.stop();
    this.on.stopped();
  }

  lose(why: Error): void {
    this.#lose(why);
    this.stop();
  }

  [Symbol.asyncIterator](): AsyncIterator<BusEntry> {
    const inner = this.inner[Symbol.asyncIterator]();
    return {
      next: () => Promise.race([this.#next(inner), this.#lost]),
      return: async () => {
        this.stop();
        return { done: true, value: undefined };
      },
    };
  }

  async #next(inner: AsyncIterator<BusEntry>): Promise<IteratorResult<BusEntry>> {
    try {
      await this.#mayCome();
      const came = await inner.next();
      await this.trouble.passable();
      if (came.done === true) this.on.stopped();
      else this.seen = came.value.revision;
      this.#brought += 1;
      return came;
    } catch (error) {
      this.on.stopped();
      throw error;
    } finally {
      this.on.moved();
    }
  }

  /** What is held back is not even taken from the bus, so that it can be overwritten there meanwhile. */
  async #mayCome(): Promise<void> {
    await this.trouble.passable();
    const inTheWay = () => this.trouble.inTheWay(this.bucket, this.#brought, this.#openedAt);
    for (let hold = inTheWay(); hold !== undefined; hold = inTheWay()) {
      this.isHeld = true;
      await hold;
      this.isHeld = false;
    }
  }
}
