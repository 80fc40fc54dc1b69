import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, systemClock } from '../clock.ts';
import { assertFits, refusal } from '../limits.ts';
import {
  type Bus,
  type BusEntry,
  BusError,
  type Service,
  type StreamIdentity,
  type StreamRecord,
  type StreamState,
  type Write,
  type WriteResult,
} from '../port.ts';
import { lockFolder } from './lock.ts';
import { MemoryStore } from './memory-store.ts';
import { Services } from './services.ts';
import { type Expected, Store, type StreamStore } from './store.ts';
import { EmbeddedWatch, entryOf } from './watch.ts';

const READ_AT_ONCE = 256;

/** The bus of one process, durable in a folder: buckets, streams and services with the semantics of a NATS server. */
export class EmbeddedBus implements Bus {
  readonly kind = 'embedded';
  readonly #services: Services;
  readonly #watches = new Map<string, Set<EmbeddedWatch>>();
  #closed = false;

  private constructor(
    readonly where: string,
    private readonly store: StreamStore,
    private readonly unlock: () => Promise<void>,
    clock: Clock,
  ) {
    this.#services = new Services(clock);
  }

  /** Opens the folder and makes it where it is missing. Throws {@link BusError} `in-use` where another process has it (E4). */
  static async open(folder: string): Promise<EmbeddedBus> {
    const where = await made(folder);
    const unlock = await lockFolder(where);
    try {
      return new EmbeddedBus(where, new Store(join(where, 'bus.lmdb')), unlock, systemClock);
    } catch (cause) {
      await unlock();
      throw new BusError('failed', `${where} could not be opened: ${(cause as Error).message}`, { cause });
    }
  }

  /** A bus that is nowhere but in this process, and the same at every run. */
  static inMemory(clock: Clock): EmbeddedBus {
    return new EmbeddedBus('memory', new MemoryStore(), async () => {}, clock);
  }

  async identity(bucket: string): Promise<StreamIdentity | undefined> {
    return this.#open().identity(streamOf(bucket));
  }

  async createBucket(bucket: string, { history }: { history: number }): Promise<void> {
    await this.#open().create(streamOf(bucket), history);
  }

  /** Takes the bucket away with all that is in it; its watches are lost. */
  async destroyBucket(bucket: string): Promise<void> {
    await this.destroyStream(streamOf(bucket));
    for (const watch of this.#watches.get(streamOf(bucket)) ?? []) watch.lose(`bucket ${bucket} is gone`);
    this.#watches.delete(streamOf(bucket));
  }

  /** Takes the stream away with all its records. */
  async destroyStream(stream: string): Promise<void> {
    await this.#open().destroy(stream);
  }

  async subjects(bucket: string): Promise<ReadonlySet<string>> {
    return this.#bucket(bucket).subjects(streamOf(bucket));
  }

  async watch(bucket: string, { afterRevision }: { afterRevision?: number } = {}): Promise<EmbeddedWatch> {
    const store = this.#bucket(bucket);
    const stream = streamOf(bucket);
    const lastOnlyTo = afterRevision === undefined ? store.identity(stream)!.lastSequence : 0;
    const watches = this.#watches.get(stream) ?? new Set();
    this.#watches.set(stream, watches);
    const watch: EmbeddedWatch = new EmbeddedWatch(store, stream, lastOnlyTo, afterRevision ?? 0, () => watches.delete(watch));
    watches.add(watch);
    return watch;
  }

  async get(bucket: string, key: string): Promise<BusEntry | undefined> {
    const found = this.#bucket(bucket).last(streamOf(bucket), key);
    return found && entryOf(found);
  }

  async getAt(bucket: string, key: string, revision: number): Promise<BusEntry | undefined> {
    const found = this.#bucket(bucket).at(streamOf(bucket), revision);
    return found?.subject === key ? entryOf(found) : undefined;
  }

  async put(bucket: string, key: string, text: string, write: Write): Promise<WriteResult> {
    return this.#write(streamOf(bucket), key, text, write, ofSubject(write));
  }

  async delete(bucket: string, key: string, write: Write): Promise<WriteResult> {
    return this.#write(streamOf(bucket), key, undefined, write, ofSubject(write));
  }

  async createStream(stream: string, subject: string): Promise<void> {
    await this.#open().create(stream, 'all', subject);
  }

  async streamState(stream: string): Promise<StreamState | undefined> {
    return this.#open().state(stream);
  }

  async trimStream(stream: string, beforeSequence: number): Promise<void> {
    if (this.#open().identity(stream) === undefined) throw new BusError('no-bucket', `stream ${stream} is not there`);
    await this.#open().trim(stream, beforeSequence);
  }

  async append(subject: string, text: string, write: { id: string; epoch: number; expected: number }): Promise<WriteResult> {
    const stream = this.#open().streamOfSubject(subject);
    return this.#write(stream ?? subject, subject, text, write, { of: 'stream', sequence: write.expected });
  }

  async *records(stream: string, fromSequence: number): AsyncGenerator<StreamRecord> {
    const last = this.#open().identity(stream)?.lastSequence;
    if (last === undefined) throw new BusError('no-bucket', `stream ${stream} is not there`);
    let cursor = fromSequence - 1;
    while (cursor < last) {
      const messages = this.#open().after(stream, cursor, READ_AT_ONCE);
      if (messages.length === 0) return;
      for (const { sequence, text, id, epoch } of messages) {
        if (sequence > last) return;
        cursor = sequence;
        yield { sequence, text: text ?? '', id, epoch };
      }
    }
  }

  async serve(service: Service): Promise<() => Promise<void>> {
    this.#open();
    const stop = this.#services.serve(service);
    return async () => stop();
  }

  async request(subject: string, text: string, timeoutMs: number): ReturnType<Bus['request']> {
    this.#open();
    assertFits(subject, text);
    return this.#services.request(subject, text, timeoutMs);
  }

  /** A bus inside this process is never lost while it runs: nothing is ever called. */
  onConnection(): () => void {
    return () => {};
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const watches of this.#watches.values()) for (const watch of watches) watch.lose('the bus was closed');
    await this.store.close();
    await this.unlock();
  }

  async #write(stream: string, key: string, text: string | undefined, write: Write, expected: Expected | undefined): Promise<WriteResult> {
    const against = refusal(key, text ?? '');
    if (against !== undefined) return against;
    const { id, epoch } = write;
    const message = text === undefined ? { subject: key, id, epoch } : { subject: key, text, id, epoch };
    const result = await this.#open().write(stream, message, expected);
    if (result.done) for (const watch of this.#watches.get(stream) ?? []) watch.wake();
    return result;
  }

  #open(): StreamStore {
    if (this.#closed) throw new BusError('unreachable', `the bus in ${this.where} was closed`);
    return this.store;
  }

  #bucket(bucket: string): StreamStore {
    const store = this.#open();
    if (store.identity(streamOf(bucket)) === undefined) throw new BusError('no-bucket', `bucket ${bucket} is not there`);
    return store;
  }
}

async function made(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true });
    return await realpath(folder);
  } catch (cause) {
    throw new BusError('failed', `${folder} cannot be used as a state folder: ${(cause as Error).message}`, { cause });
  }
}

function streamOf(bucket: string): string {
  return `KV_${bucket}`;
}

function ofSubject({ expected }: Write): Expected | undefined {
  return expected === undefined ? undefined : { of: 'subject', sequence: expected };
}
