import type { Clock } from './clock.ts';
import type { Bus, BusEntry } from './port.ts';
import { type BucketImage, ProvedBucket } from './proved-bucket.ts';
import { Subscribing } from './subscribing.ts';

export interface ProvedReadOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly buckets: readonly string[];
  /** How often a loaded bucket is looked at for what its watch does not say, in milliseconds. */
  readonly checkEveryMs: number;
  /** Every bucket is loaded, and proved so (P2); in the order in which they were named. */
  onImage(image: readonly BucketImage[]): void;
  /** One message after the image, in the order of its bucket. */
  onEntry(bucket: string, entry: BusEntry): void;
  /** What was loaded counts no more (P3); another image follows. */
  onLost(why: string): void;
  /** What the read waits for while it is not loaded; told when it changes. */
  onWaiting(why: string): void;
}

/**
 * The read of one bucket, or of several that count as one: proved complete, lost as soon as it may not be any more, and read again with
 * a full image. It never makes a bucket (P8), and no time that passes makes it complete (P4).
 */
export class ProvedRead {
  #buckets: ProvedBucket[] = [];
  #waiting: string | undefined;
  readonly #subscribing: Subscribing;

  constructor(private readonly options: ProvedReadOptions) {
    this.#subscribing = new Subscribing({
      clock: options.clock,
      onServing: (listener) => options.bus.onConnection(listener),
      subscribe: () => this.#open(),
      lost: () => this.#lose('the connection to the bus was lost'),
    });
  }

  start(): void {
    this.#subscribing.start();
  }

  stop(): void {
    this.#subscribing.stop();
    this.#end();
  }

  /** Proves everything again, as after a sleep (P9). */
  again(why: string): void {
    this.#lose(why);
  }

  #open(): void {
    const { bus, clock, buckets, checkEveryMs, onEntry } = this.options;
    this.#buckets = buckets.map(
      (bucket) =>
        new ProvedBucket(bus, clock, bucket, checkEveryMs, {
          proved: () => this.#proved(),
          entry: (entry) => onEntry(bucket, entry),
          waiting: (why) => this.#wait(why),
          lost: (why) => this.#lose(why),
        }),
    );
    for (const bucket of this.#buckets) bucket.open();
  }

  #proved(): void {
    if (!this.#buckets.every(({ isProved }) => isProved)) return;
    this.#subscribing.stood();
    this.#waiting = undefined;
    this.options.onImage(this.#buckets.map((bucket) => bucket.goLive()));
  }

  #wait(why: string): void {
    if (why === this.#waiting) return;
    this.#waiting = why;
    this.options.onWaiting(why);
  }

  #lose(why: string): void {
    if (this.#buckets.length === 0) return;
    this.#end();
    if (this.#subscribing.ended()) this.options.onLost(why);
    this.#wait(why);
  }

  #end(): void {
    for (const bucket of this.#buckets) bucket.stop();
    this.#buckets = [];
  }
}
