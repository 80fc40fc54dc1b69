import {
  type Bus,
  type BusEntry,
  BusError,
  type Service,
  type ServiceReply,
  type StreamIdentity,
  type StreamRecord,
  type StreamState,
  type Watch,
  type Write,
  type WriteResult,
} from '../../src/bus/port.ts';
import { StoryWatch } from './story-watch.ts';
import { Trouble } from './trouble.ts';

/** Writes of any process of a story, so that it is known what a watch still has to bring. */
export class Ledger {
  readonly #last = new Map<string, number>();

  wrote(bucket: string, revision: number): void {
    this.#last.set(bucket, Math.max(this.last(bucket), revision));
  }

  last(bucket: string): number {
    return this.#last.get(bucket) ?? 0;
  }

  forget(bucket: string): void {
    this.#last.delete(bucket);
  }
}

/** The bus as one process of a story has it: the real one, with what goes wrong on the way there, and whether anything is under way. */
export class StoryBus implements Bus {
  readonly trouble = new Trouble();
  readonly kind;
  readonly where = 'the bus of the story';
  readonly watches = new Set<StoryWatch>();
  readonly #listeners = new Set<(connected: boolean) => void>();
  readonly #services = new Set<() => Promise<void>>();
  /** Acknowledged writes of the process, by bucket. */
  readonly writes = new Map<string, number>();
  opened = 0;
  underWay = 0;
  moves = 0;

  constructor(
    private readonly inner: Bus,
    private readonly ledger: Ledger,
  ) {
    this.kind = inner.kind;
  }

  identity(bucket: string): Promise<StreamIdentity | undefined> {
    return this.#read(bucket, () => this.inner.identity(bucket));
  }
  subjects(bucket: string): Promise<ReadonlySet<string>> {
    return this.#read(bucket, () => this.inner.subjects(bucket));
  }
  get(bucket: string, key: string): Promise<BusEntry | undefined> {
    return this.#read(bucket, () => this.inner.get(bucket, key));
  }
  getAt(bucket: string, key: string, revision: number): Promise<BusEntry | undefined> {
    return this.#read(bucket, () => this.inner.getAt(bucket, key, revision));
  }
  createBucket(bucket: string, options: { history: number }): Promise<void> {
    return this.#read(bucket, () => this.inner.createBucket(bucket, options));
  }
  createStream(stream: string, subject: string): Promise<void> {
    return this.#read(stream, () => this.inner.createStream(stream, subject));
  }
  streamState(stream: string): Promise<StreamState | undefined> {
    return this.#read(stream, () => this.inner.streamState(stream));
  }
  trimStream(...what: Parameters<Bus['trimStream']>): ReturnType<Bus['trimStream']> {
    return this.#read(what[0], () => this.inner.trimStream(...what));
  }

  async watch(bucket: string, options: { afterRevision?: number } = {}): Promise<Watch> {
    const watch = await this.#read(bucket, () => this.inner.watch(bucket, options));
    this.opened += 1;
    const made: StoryWatch = new StoryWatch(watch, bucket, this.trouble, {
      moved: () => {
        this.moves += 1;
      },
      stopped: () => this.watches.delete(made),
    });
    this.watches.add(made);
    return made;
  }

  put(bucket: string, key: string, text: string, write: Write): Promise<WriteResult> {
    return this.#write(bucket, () => this.inner.put(bucket, key, text, write));
  }
  delete(bucket: string, key: string, write: Write): Promise<WriteResult> {
    return this.#write(bucket, () => this.inner.delete(bucket, key, write));
  }
  async append(subject: string, text: string, write: { id: string; epoch: number; expected: number }): Promise<WriteResult> {
    const result = await this.#write(subject, () => this.inner.append(subject, text, write));
    if (result.done && this.trouble.appended()) this.freeze();
    await this.trouble.passable();
    return result;
  }
  async *records(stream: string, fromSequence: number): AsyncGenerator<StreamRecord> {
    for await (const record of this.inner.records(stream, fromSequence)) {
      this.moves += 1;
      await this.trouble.passable();
      yield record;
    }
  }

  async serve(service: Service): Promise<() => Promise<void>> {
    const stop = await this.#call(() => this.inner.serve(service));
    this.#services.add(stop);
    return stop;
  }
  request(subject: string, text: string, timeoutMs: number): Promise<ServiceReply> {
    return this.#call(() => this.inner.request(subject, text, timeoutMs));
  }

  onConnection(listener: (connected: boolean) => void): () => void {
    this.#listeners.add(listener);
    const stop = this.inner.onConnection(listener);
    return () => {
      stop();
      this.#listeners.delete(listener);
    };
  }

  async close(): Promise<void> {}

  disconnect(): void {
    this.trouble.isDown = true;
    for (const watch of this.watches) watch.lose(new BusError('watch-lost', 'the connection to the bus was lost'));
    for (const listener of this.#listeners) listener(false);
  }

  reconnect(): void {
    this.trouble.isDown = false;
    for (const listener of this.#listeners) listener(true);
  }

  freeze(): void {
    this.trouble.freeze();
  }

  /** As `kill -9`: nothing more of it reaches the bus, and nothing reaches it. */
  async die(): Promise<void> {
    this.trouble.isDead = true;
    for (const watch of this.watches) watch.stop();
    this.#listeners.clear();
    for (const stop of this.#services) await stop();
  }

  /** Whether a watch still has to bring what is known to be written. */
  isBehind(): boolean {
    if (this.trouble.isStalled || this.trouble.isDown) return false;
    return [...this.watches].some((watch) => !watch.isHeld && watch.seen < this.ledger.last(watch.bucket));
  }

  #read<T>(bucket: string, read: () => Promise<T>): Promise<T> {
    return this.#call(async () => {
      this.trouble.refuseToRead(bucket);
      return read();
    });
  }

  #write(bucket: string, write: () => Promise<WriteResult>): Promise<WriteResult> {
    return this.#call(async () => {
      if (this.trouble.isDown) return { done: false, because: 'unknown', says: 'no answer in time' };
      const says = this.trouble.unwritable.get(bucket);
      if (says !== undefined) return { done: false, because: 'refused', says };
      const result = await write();
      if (!result.done) return result;
      this.ledger.wrote(bucket, result.revision);
      if (!result.duplicate) this.writes.set(bucket, (this.writes.get(bucket) ?? 0) + 1);
      return result;
    });
  }

  async #call<T>(act: () => Promise<T>): Promise<T> {
    await this.trouble.passable();
    this.underWay += 1;
    this.moves += 1;
    try {
      return await act();
    } finally {
      this.underWay -= 1;
      this.moves += 1;
      await this.trouble.passable();
    }
  }
}
