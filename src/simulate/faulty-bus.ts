import {
  type Bus,
  type BusEntry,
  BusError,
  type Service,
  type ServiceReply,
  type Watch,
  type Write,
  type WriteResult,
} from '../bus/port.ts';
import type { Ledger, Sent } from './ledger.ts';
import type { Process } from './process.ts';
import type { Random } from './random.ts';
import type { Timeline } from './timeline.ts';

/** What is wrong with the way between a process and the bus. */
export interface Link {
  isCut: boolean;
  /** Requests and answers lost, as a share. */
  lost: number;
  /** Requests that arrive twice, as a share. */
  doubled: number;
  /** Buckets that may be neither read nor written. */
  readonly forbidden: Set<string>;
  /** How much later a bucket's messages come, in milliseconds. */
  readonly late: Map<string, number>;
  /** Buckets that take no write. */
  readonly full: Set<string>;
}

export function soundLink(): Link {
  return { isCut: false, lost: 0, doubled: 0, forbidden: new Set(), late: new Map(), full: new Set() };
}

const WAY_MS = 8;
const TIMEOUT_MS = 5_000;

export interface FaultyParts {
  readonly bus: Bus;
  readonly process: Process;
  readonly link: Link;
  readonly timeline: Timeline;
  readonly random: Random;
  readonly ledger: Ledger;
  /** Told at the instant at which a write or a request leaves the process. */
  readonly sent?: (sent: Sent) => void;
}

/** The bus as one process has it: everything takes its time, and may be lost, late, refused, or happen twice. */
export class FaultyBus implements Bus {
  readonly kind = 'embedded';
  readonly where = 'memory';
  readonly #watches = new Set<FaultyWatch>();
  readonly #serving = new Set<() => Promise<void>>();

  constructor(private readonly parts: FaultyParts) {}

  identity(bucket: string) {
    return this.#read(bucket, (bus) => bus.identity(bucket));
  }

  createBucket(bucket: string, options: { history: number }): Promise<void> {
    return this.#call((bus) => bus.createBucket(bucket, options));
  }

  subjects(bucket: string) {
    return this.#read(bucket, (bus) => bus.subjects(bucket));
  }

  get(bucket: string, key: string) {
    return this.#read(bucket, (bus) => bus.get(bucket, key));
  }

  getAt(bucket: string, key: string, revision: number) {
    return this.#read(bucket, (bus) => bus.getAt(bucket, key, revision));
  }

  async watch(bucket: string, options?: { afterRevision?: number }): Promise<Watch> {
    const inner = await this.#read(bucket, (bus) => bus.watch(bucket, options));
    const watch = new FaultyWatch(this.parts, bucket, inner, () => this.#watches.delete(watch));
    this.#watches.add(watch);
    return watch;
  }

  put(bucket: string, key: string, text: string, write: Write): Promise<WriteResult> {
    return this.#write({ bucket, key, text, write }, (bus) => bus.put(bucket, key, text, write));
  }

  delete(bucket: string, key: string, write: Write): Promise<WriteResult> {
    return this.#write({ bucket, key, write }, (bus) => bus.delete(bucket, key, write));
  }

  append(subject: string, text: string, write: { id: string; epoch: number; expected: number }): Promise<WriteResult> {
    return this.#write({ bucket: subject, key: subject, text, write }, (bus) => bus.append(subject, text, write));
  }

  createStream(stream: string, subject: string): Promise<void> {
    return this.#call((bus) => bus.createStream(stream, subject));
  }

  streamState(stream: string) {
    return this.#call((bus) => bus.streamState(stream));
  }

  trimStream(stream: string, beforeSequence: number): Promise<void> {
    return this.#call((bus) => bus.trimStream(stream, beforeSequence));
  }

  async *records(stream: string, fromSequence: number) {
    yield* await this.#call(async (bus) => {
      const records = [];
      for await (const record of bus.records(stream, fromSequence)) records.push(record);
      return records;
    });
  }

  async serve(service: Service): Promise<() => Promise<void>> {
    const endpoints = service.endpoints.map((endpoint) => ({
      ...endpoint,
      handle: (text: string, subject: string) =>
        new Promise<ServiceReply>((answer) => this.parts.process.reach(() => void endpoint.handle(text, subject).then(answer))),
    }));
    return this.#call(async (bus) => {
      const stop = await bus.serve({ ...service, endpoints });
      this.#serving.add(stop);
      return stop;
    });
  }

  async request(subject: string, text: string, timeoutMs: number): Promise<ServiceReply> {
    this.parts.sent?.({ subject, text });
    let isOver = false;
    return new Promise((answer, fail) => {
      this.parts.process.clock.after(timeoutMs, () => {
        if (!isOver) fail(new BusError('timeout', `${subject} did not answer within ${timeoutMs} ms`));
        isOver = true;
      });
      const once =
        <T>(act: (value: T) => void) =>
        (value: T) => {
          if (!isOver) act(value);
          isOver = true;
        };
      this.#call((bus) => bus.request(subject, text, 2 ** 31 - 1)).then(once(answer), once(fail));
    });
  }

  onConnection(listener: (connected: boolean) => void): () => void {
    return this.parts.process.onConnection(listener);
  }

  /** The way to the bus is cut, or there again. */
  connect(isConnected: boolean): void {
    this.parts.link.isCut = !isConnected;
    this.parts.process.tellConnected(isConnected);
  }

  /** The watches of a bucket that stand now say nothing any more. */
  silence(bucket: string): void {
    for (const watch of this.#watches) if (watch.bucket === bucket) watch.isSilent = true;
  }

  /** Every watch of a bucket is lost. */
  loseWatches(bucket: string, why: string): void {
    for (const watch of [...this.#watches]) if (watch.bucket === bucket) watch.lose(why);
  }

  /** Nobody is at this end any more. */
  async close(): Promise<void> {
    for (const stop of this.#serving) await stop();
    for (const watch of [...this.#watches]) watch.stop();
  }

  #read<T>(bucket: string, act: (bus: Bus) => Promise<T>): Promise<T> {
    return this.#call(async (bus) => {
      if (this.parts.link.forbidden.has(bucket)) throw new BusError('permission', `bucket ${bucket} may not be read`);
      return act(bus);
    });
  }

  async #write(sent: Sent & { readonly bucket: string }, act: (bus: Bus) => Promise<WriteResult>): Promise<WriteResult> {
    const { link } = this.parts;
    this.parts.sent?.(sent);
    try {
      return await this.#call(async (bus) => {
        if (link.full.has(sent.bucket)) return { done: false, because: 'refused', says: `${sent.bucket} is full` } as const;
        if (link.forbidden.has(sent.bucket)) return { done: false, because: 'refused', says: `${sent.bucket} may not be written` } as const;
        const result = await act(bus);
        if (result.done && !result.duplicate) this.#applied(sent);
        return result;
      });
    } catch (error) {
      if (!(error instanceof BusError) || error.code !== 'timeout') throw error;
      return { done: false, because: 'unknown', says: error.message };
    }
  }

  #applied({ bucket, key = '', text, write }: Sent & { readonly bucket: string }): void {
    const { ledger, timeline, process } = this.parts;
    const after = text === undefined ? undefined : JSON.parse(text);
    ledger.apply({ at: timeline.now(), by: process.name, bucket, key, epoch: write?.epoch ?? 0, after });
  }

  /** There and back. What is lost on either way is a timeout to the one who asked. */
  #call<T>(act: (bus: Bus) => Promise<T>): Promise<T> {
    const { bus, process, link, timeline, random } = this.parts;
    return new Promise((answer, fail) => {
      const timeout = () => process.clock.after(TIMEOUT_MS, () => fail(new BusError('timeout', 'the bus does not answer')));
      const back = (act: () => void) => {
        if (link.isCut || random.chance(link.lost)) timeout();
        else timeline.after(random.whole(1, WAY_MS), () => process.reach(act));
      };
      if (!process.isAlive) return;
      if (link.isCut || random.chance(link.lost)) return void timeout();
      timeline.after(random.whole(1, WAY_MS), () => {
        if (!process.isAlive) return;
        if (random.chance(link.doubled)) void act(bus).catch(() => {});
        act(bus).then(
          (value) => back(() => answer(value)),
          (error) => back(() => fail(error)),
        );
      });
    });
  }
}

/** A watch whose messages take their time, in order. */
class FaultyWatch implements Watch {
  readonly #arrived: BusEntry[] = [];
  isSilent = false;
  #ended: 'stopped' | BusError | undefined;
  #lastAt = 0;
  #wake = () => {};

  constructor(
    private readonly parts: FaultyParts,
    readonly bucket: string,
    private readonly inner: Watch,
    private readonly onStop: () => void,
  ) {
    void this.#follow();
  }

  stop(): void {
    this.#end('stopped');
    this.onStop();
  }

  lose(why: string): void {
    this.parts.process.reach(() => this.#end(new BusError('watch-lost', why)));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<BusEntry> {
    for (;;) {
      if (this.#ended instanceof BusError) throw this.#ended;
      if (this.#ended !== undefined) return;
      const next = this.#arrived.shift();
      if (next !== undefined) yield next;
      else
        await new Promise<void>((go) => {
          this.#wake = go;
        });
    }
  }

  async #follow(): Promise<void> {
    const { link, timeline, random, process } = this.parts;
    try {
      for await (const entry of this.inner) {
        if (this.isSilent || link.isCut) continue;
        const late = link.late.get(this.bucket) ?? 0;
        const at = Math.max(this.#lastAt, timeline.now() + random.whole(1, WAY_MS) + (late === 0 ? 0 : random.whole(0, late)));
        this.#lastAt = at;
        timeline.after(at - timeline.now(), () => process.reach(() => this.#arrive(entry)));
      }
    } catch (error) {
      if (!(error instanceof BusError)) throw error;
      this.lose(error.message);
    }
  }

  #arrive(entry: BusEntry): void {
    this.#arrived.push(entry);
    this.#wake();
  }

  #end(how: 'stopped' | BusError): void {
    this.#ended ??= how;
    this.inner.stop();
    this.#wake();
  }
}
