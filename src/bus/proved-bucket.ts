import type { Clock } from './clock.ts';
import { type Bus, type BusEntry, BusError, type StreamIdentity, type Watch } from './port.ts';

const LOOK_EVERY_MS = 1_000;
const PROBE_MS = 3_000;

export interface BucketImage {
  readonly bucket: string;
  /** The stream when its load was proved. */
  readonly identity: StreamIdentity;
  /** The last message of each key, delete markers too. */
  readonly entries: ReadonlyMap<string, BusEntry>;
}

/** What a load of one bucket reports. After `lost` nothing more comes. */
export interface BucketListener {
  proved(): void;
  entry(entry: BusEntry): void;
  waiting(why: string): void;
  lost(why: string): void;
}

/**
 * One load of one bucket, from its watch on to its loss. It is proved when every key that the stream lists was seen by the watch (P2),
 * and lost as P3 says.
 */
export class ProvedBucket {
  readonly #entries = new Map<string, BusEntry>();
  #opened: StreamIdentity | undefined;
  #proved: StreamIdentity | undefined;
  #isLive = false;
  #watch: Watch | undefined;
  #missing: Set<string> | undefined;
  #seen = 0;
  /** Up to here the stream holds nothing that the watch has not brought, whatever its last sequence says. */
  #quietTo = 0;
  #lastCheck = { seen: 0, lastSequence: 0 };
  #isUnanswered = false;
  #isEnded = false;
  #cancelLook = () => {};
  #cancelCheck = () => {};

  constructor(
    private readonly bus: Bus,
    private readonly clock: Clock,
    readonly bucket: string,
    private readonly checkEveryMs: number,
    private readonly on: BucketListener,
  ) {}

  open(): void {
    this.#run(async () => {
      this.#opened = await this.bus.identity(this.bucket);
      if (this.#opened === undefined) return this.#lose(`bucket ${this.bucket} is not there`);
      if (this.#isEnded) return;
      const watch = await this.bus.watch(this.bucket);
      if (this.#isEnded) return watch.stop();
      this.#watch = watch;
      this.#run(() => this.#follow(watch));
      this.#checkLater();
      await this.#list();
    });
  }

  get isProved(): boolean {
    return this.#proved !== undefined;
  }

  /** Gives what was loaded, once it is proved; from now on each message is passed on. */
  goLive(): BucketImage {
    this.#isLive = true;
    return { bucket: this.bucket, identity: this.#proved!, entries: this.#entries };
  }

  stop(): void {
    this.#isEnded = true;
    this.#cancelLook();
    this.#cancelCheck();
    this.#watch?.stop();
  }

  async #follow(watch: Watch): Promise<void> {
    for await (const entry of watch) {
      if (this.#isEnded) return;
      this.#seen = entry.revision;
      if (this.#isLive) this.on.entry(entry);
      else this.#take(entry);
    }
    this.#lose(`the watch of bucket ${this.bucket} ended`);
  }

  #take(entry: BusEntry): void {
    this.#entries.set(entry.key, entry);
    this.#missing?.delete(entry.key);
    if (this.#missing?.size === 0) this.#run(() => this.#prove());
  }

  async #list(): Promise<void> {
    const listed = await this.bus.subjects(this.bucket);
    if (this.#isEnded || this.isProved) return;
    this.#missing = new Set([...listed].filter((key) => !this.#entries.has(key)));
    if (this.#missing.size === 0) return this.#prove();
    this.#lookLater(listed.size, this.#missing);
  }

  /** A listed key may be taken out of the stream before it comes, so once none comes any more the list is taken again. */
  #lookLater(listed: number, missing: ReadonlySet<string>): void {
    const left = missing.size;
    this.on.waiting(`bucket ${this.bucket}: ${listed - left} of ${listed} entries seen`);
    this.#cancelLook = this.clock.after(LOOK_EVERY_MS, () => {
      if (missing.size < left) this.#lookLater(listed, missing);
      else this.#run(() => this.#list());
    });
  }

  /** The list counts only where it came from the stream that the watch is of. */
  async #prove(): Promise<void> {
    this.#missing = undefined;
    this.#cancelLook();
    const seen = this.#seen;
    const identity = await this.bus.identity(this.bucket);
    if (this.#isEnded || this.isProved || this.#isAnother(identity, seen)) return;
    this.#proved = identity;
    this.on.proved();
  }

  #checkLater(): void {
    this.#cancelCheck = this.clock.after(this.checkEveryMs, () => this.#run(() => this.#check()));
  }

  async #check(): Promise<void> {
    const seen = this.#seen;
    const identity = await this.#answered(this.bus.identity(this.bucket));
    if (this.#isEnded) return;
    if (identity !== 'unanswered') {
      if (this.#isAnother(identity, seen)) return;
      if (await this.#isSilent(identity!.lastSequence))
        return this.#lose(`the watch of bucket ${this.bucket} is silent: messages behind ${this.#seen} do not come`);
      this.#lastCheck = { seen: this.#seen, lastSequence: identity!.lastSequence };
    }
    if (!this.#isEnded) this.#checkLater();
  }

  /** One check without an answer is a busy server; two are none. */
  async #answered<T>(asked: Promise<T>): Promise<T | 'unanswered'> {
    try {
      const answer = await asked;
      this.#isUnanswered = false;
      return answer;
    } catch (error) {
      if (this.#isUnanswered || !(error instanceof BusError) || error.code !== 'timeout') throw error;
      this.#isUnanswered = true;
      return 'unanswered';
    }
  }

  /** @param seen what the watch had brought before it was asked: a message may overtake the answer */
  #isAnother(found: StreamIdentity | undefined, seen: number): boolean {
    if (found === undefined) this.#lose(`bucket ${this.bucket} is gone`);
    else if (found.created !== this.#opened!.created) this.#lose(`bucket ${this.bucket} is another stream, made ${found.created}`);
    else if (found.lastSequence < seen) this.#lose(`bucket ${this.bucket} went back from ${seen} to ${found.lastSequence}`);
    return this.#isEnded;
  }

  /** A watch that stood still from one check to the next, though there was more, is silent if another watch brings what it does not. */
  async #isSilent(lastSequence: number): Promise<boolean> {
    const stoodStill = this.#seen === this.#lastCheck.seen && this.#seen < this.#lastCheck.lastSequence;
    if (!stoodStill || this.#lastCheck.lastSequence <= this.#quietTo) return false;
    const next = await this.#nextInStream();
    if (next === undefined) this.#quietTo = lastSequence;
    return next !== undefined && next > this.#seen;
  }

  async #nextInStream(): Promise<number | undefined> {
    const probe = await this.bus.watch(this.bucket, { afterRevision: this.#seen });
    const cancel = this.clock.after(PROBE_MS, () => probe.stop());
    for await (const { revision } of probe) {
      cancel();
      return revision;
    }
    return undefined;
  }

  #run(act: () => Promise<void>): void {
    void act().catch((error: unknown) => {
      if (!(error instanceof BusError)) throw error;
      this.#lose(error.message);
    });
  }

  #lose(why: string): void {
    if (this.#isEnded) return;
    this.stop();
    this.on.lost(why);
  }
}
