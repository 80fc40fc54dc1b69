import {
  consumerOpts,
  DiscardPolicy,
  Events,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  type NatsConnection,
  nuid,
  StorageType,
  type StreamInfo,
} from 'nats';
import { refusal, refused } from '../limits.ts';
import {
  type Bus,
  type BusEntry,
  BusError,
  type Service,
  type StreamIdentity,
  type StreamRecord,
  type StreamState,
  type Watch,
  type Write,
  type WriteResult,
} from '../port.ts';
import { apiCode, busError, isNobody, MESSAGE_NOT_FOUND, outcomeOf, STREAM_NOT_FOUND } from './errors.ts';
import { Feed } from './feed.ts';
import { entryOf, headersOf, type Marks, recordOf } from './messages.ts';
import { request, serve } from './services.ts';

const ANSWER_WITHIN_MS = 2_000;

/** The bus on a NATS server with JetStream, 2.9 or later. */
export class NatsBus implements Bus {
  readonly kind = 'nats';
  readonly #stream: JetStreamClient;
  readonly #manager: Promise<JetStreamManager>;
  readonly #feeds = new Set<Feed<unknown>>();
  readonly #listeners = new Set<(connected: boolean) => void>();
  #losses = 0;

  constructor(
    private readonly connection: NatsConnection,
    readonly where: string,
  ) {
    this.#stream = connection.jetstream({ timeout: ANSWER_WITHIN_MS });
    this.#manager = connection.jetstreamManager({ timeout: ANSWER_WITHIN_MS, checkAPI: false });
    void this.#follow();
  }

  identity(bucket: string): Promise<StreamIdentity | undefined> {
    return this.streamState(streamOf(bucket));
  }

  async createBucket(bucket: string, { history }: { history: number }): Promise<void> {
    await attempt(`make bucket ${bucket}`, () => this.#stream.views.kv(bucket, { history }));
  }

  async subjects(bucket: string): Promise<ReadonlySet<string>> {
    const info = await this.#info(streamOf(bucket), subjectOf(bucket, '>'));
    if (info === undefined) throw new BusError('no-bucket', `bucket ${bucket} is not there`);
    const prefix = subjectOf(bucket, '').length;
    return new Set(Object.keys(info.state.subjects ?? {}).map((subject) => subject.slice(prefix)));
  }

  async watch(bucket: string, { afterRevision }: { afterRevision?: number } = {}): Promise<Watch> {
    const start = afterRevision === undefined ? 'last-of-each' : afterRevision + 1;
    const prefix = subjectOf(bucket, '').length;
    return this.#feed(`watch bucket ${bucket}`, streamOf(bucket), subjectOf(bucket, '>'), start, (message) =>
      entryOf(message.subject.slice(prefix), message),
    );
  }

  get(bucket: string, key: string): Promise<BusEntry | undefined> {
    return this.#message(bucket, key, { last_by_subj: subjectOf(bucket, key) });
  }

  getAt(bucket: string, key: string, revision: number): Promise<BusEntry | undefined> {
    return this.#message(bucket, key, { seq: revision });
  }

  put(bucket: string, key: string, text: string, write: Write): Promise<WriteResult> {
    return this.#publish(streamOf(bucket), key, subjectOf(bucket, key), text, write, expectedOf(write));
  }

  delete(bucket: string, key: string, write: Write): Promise<WriteResult> {
    return this.#publish(streamOf(bucket), key, subjectOf(bucket, key), '', write, { ...expectedOf(write), 'KV-Operation': 'DEL' });
  }

  async createStream(stream: string, subject: string): Promise<void> {
    await attempt(`make stream ${stream}`, async () => {
      if ((await this.#info(stream)) !== undefined) return;
      const manager = await this.#manager;
      await manager.streams.add({ name: stream, subjects: [subject], storage: StorageType.File, discard: DiscardPolicy.New });
    });
  }

  async streamState(stream: string): Promise<StreamState | undefined> {
    const info = await this.#info(stream);
    if (info === undefined) return undefined;
    const { first_seq, last_seq, messages, bytes } = info.state;
    return { created: info.created, lastSequence: last_seq, firstSequence: messages === 0 ? last_seq + 1 : first_seq, bytes };
  }

  async trimStream(stream: string, beforeSequence: number): Promise<void> {
    const manager = await this.#manager;
    await attempt(`trim stream ${stream}`, () => manager.streams.purge(stream, { seq: beforeSequence }));
  }

  append(subject: string, text: string, write: { id: string; epoch: number; expected: number }): Promise<WriteResult> {
    return this.#publish(undefined, subject, subject, text, write, { 'Nats-Expected-Last-Sequence': write.expected });
  }

  async *records(stream: string, fromSequence: number): AsyncGenerator<StreamRecord> {
    const info = await this.#info(stream);
    if (info === undefined) throw new BusError('no-bucket', `stream ${stream} is not there`);
    const { last_seq: last, messages } = info.state;
    if (messages === 0 || fromSequence > last) return;
    const records = await this.#feed(`read stream ${stream}`, stream, info.config.subjects[0]!, Math.max(1, fromSequence), recordOf);
    for await (const { isLast, ...record } of records) {
      if (record.sequence > last) return;
      yield record;
      if (isLast || record.sequence === last) return;
    }
  }

  serve(service: Service): Promise<() => Promise<void>> {
    return serve(this.connection, service);
  }

  request(subject: string, text: string, timeoutMs: number): ReturnType<Bus['request']> {
    return request(this.connection, subject, text, timeoutMs);
  }

  onConnection(listener: (connected: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    await this.connection.close();
  }

  async #follow(): Promise<void> {
    for await (const { type } of this.connection.status()) {
      if (type !== Events.Disconnect && type !== Events.Reconnect) continue;
      if (type === Events.Disconnect) this.#lose();
      for (const listener of this.#listeners) listener(type === Events.Reconnect);
    }
  }

  #lose(): void {
    this.#losses += 1;
    for (const feed of this.#feeds) feed.lose(`the connection to ${this.where} was lost`);
  }

  async #feed<T>(
    what: string,
    stream: string,
    subject: string,
    start: 'last-of-each' | number,
    read: (message: JsMsg) => T,
  ): Promise<Feed<T>> {
    const options = consumerOpts().orderedConsumer().bindStream(stream).consumerName(nuid.next());
    if (start === 'last-of-each') options.deliverLastPerSubject();
    else options.startSequence(start);
    const losses = this.#losses;
    const subscription = await attempt(what, () => this.#stream.subscribe(subject, options));
    const feed: Feed<T> = new Feed(subscription, what, read, () => this.#feeds.delete(feed));
    this.#feeds.add(feed);
    if (losses !== this.#losses) feed.lose(`the connection to ${this.where} was lost`);
    return feed;
  }

  async #info(stream: string, filter?: string): Promise<StreamInfo | undefined> {
    const manager = await this.#manager;
    return attempt(`read stream ${stream}`, () =>
      unless(STREAM_NOT_FOUND, manager.streams.info(stream, filter ? { subjects_filter: filter } : {})),
    );
  }

  async #message(bucket: string, key: string, query: { seq: number } | { last_by_subj: string }): Promise<BusEntry | undefined> {
    const manager = await this.#manager;
    const message = await attempt(`read ${key} of bucket ${bucket}`, () =>
      unless(MESSAGE_NOT_FOUND, manager.streams.getMessage(streamOf(bucket), query)),
    );
    return message?.subject === subjectOf(bucket, key) ? entryOf(key, message) : undefined;
  }

  async #publish(
    stream: string | undefined,
    key: string,
    subject: string,
    text: string,
    marks: Marks,
    more: Readonly<Record<string, string | number>>,
  ): Promise<WriteResult> {
    const against = refusal(key, text);
    if (against !== undefined) return against;
    try {
      const { seq, duplicate } = await this.#stream.publish(subject, text, { headers: headersOf(marks, more), timeout: ANSWER_WITHIN_MS });
      return { done: true, revision: seq, duplicate };
    } catch (cause) {
      const outcome = outcomeOf(`write ${subject}`, cause);
      return isNobody(cause) && stream !== undefined ? this.#unlessMissing(stream, outcome) : outcome;
    }
  }

  /** Nobody answers where there is no stream, and also while a server starts: only the first is a refusal. */
  async #unlessMissing(stream: string, unknown: WriteResult): Promise<WriteResult> {
    const found = await this.#info(stream).catch(() => 'unknown');
    return found === undefined ? refused(`there is no stream ${stream}`) : unknown;
  }
}

function streamOf(bucket: string): string {
  return `KV_${bucket}`;
}

function subjectOf(bucket: string, key: string): string {
  return `$KV.${bucket}.${key}`;
}

function expectedOf({ expected }: Write): Record<string, number> {
  return expected === undefined ? {} : { 'Nats-Expected-Last-Subject-Sequence': expected };
}

async function attempt<T>(what: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    throw busError(what, cause);
  }
}

async function unless<T>(code: number, result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (cause) {
    if (apiCode(cause) === code) return undefined;
    throw cause;
  }
}
