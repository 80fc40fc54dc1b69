import type { Bus, BusEntry } from '../../src/bus/port.ts';
import type { BucketImage } from '../../src/bus/proved-bucket.ts';
import { ProvedRead } from '../../src/bus/proved-read.ts';
import { ManualClock } from './manual-clock.ts';
import { until } from './until.ts';

const STEP_MS = 250;

/** A proved read with all that it reported; its clock moves on only while something is waited for. */
export class WatchedRead {
  readonly clock = new ManualClock();
  readonly images: (readonly BucketImage[])[] = [];
  readonly entries: BusEntry[] = [];
  readonly lost: string[] = [];
  readonly waited: string[] = [];
  readonly read: ProvedRead;

  constructor(bus: Bus, ...buckets: string[]) {
    this.read = new ProvedRead({
      bus,
      clock: this.clock,
      buckets,
      checkEveryMs: 3_000,
      onImage: (image) => this.images.push(image),
      onEntry: (_, entry) => this.entries.push(entry),
      onLost: (why) => this.lost.push(why),
      onWaiting: (why) => this.waited.push(why),
    });
    this.read.start();
  }

  /** The values of the newest image by key, `undefined` for a delete marker. */
  get values(): Record<string, string | undefined> {
    return Object.fromEntries(this.images.at(-1)!.flatMap(({ entries }) => [...entries.values()].map(({ key, text }) => [key, text])));
  }

  async image(count = 1): Promise<void> {
    await this.passing(() => this.images.length >= count, `image ${count} (waiting: ${this.waited.at(-1)})`);
  }

  async loss(count = 1): Promise<void> {
    await this.passing(() => this.lost.length >= count, `loss ${count}`);
  }

  /** Lets time pass until a condition holds. */
  passing(condition: () => boolean, what: string): Promise<void> {
    return until(() => {
      if (condition()) return true;
      this.clock.advance(STEP_MS);
      return condition();
    }, what);
  }
}
