import { randomUUID } from 'node:crypto';
import { type Database, open, type RootDatabase } from 'lmdb';
import { refused } from '../limits.ts';
import type { StreamIdentity, StreamState, WriteResult } from '../port.ts';

export interface Message {
  readonly subject: string;
  /** Absent: a delete marker. */
  readonly text?: string;
  readonly id: string;
  readonly epoch: number;
}

export interface Stored extends Message {
  readonly sequence: number;
}

export type Expected = { readonly of: 'stream' | 'subject'; readonly sequence: number };

/** What a stream keeps of each subject: its last so many messages, or all. */
export type Keeps = number | 'all';

interface Stream {
  readonly created: string;
  readonly keeps: Keeps;
  /** The one subject of a stream that is no bucket. */
  readonly subject?: string;
  readonly last: number;
  /** Of a stream that keeps all: the first sequence that it holds, and its texts' bytes. */
  readonly first: number;
  readonly bytes: number;
}

/** How many of a stream's newest message ids are remembered, at least: a server remembers them for two minutes. */
const IDS_KEPT = 65_536;

/** What the embedded bus stands on. */
export type StreamStore = { readonly [Name in keyof Store]: Store[Name] };

/**
 * Streams of messages as a NATS server keeps them, in one LMDB file. Writes are decided inside the write transaction, one after the
 * other; those that come together are committed together, and each resolves once it is on the disk.
 */
export class Store {
  readonly #root: RootDatabase;
  readonly #streams: Database<Stream, string>;
  readonly #messages: Database<Message, [stream: string, sequence: number]>;
  /** The sequences kept of a subject, rising; of a stream that keeps all, the last one. */
  readonly #subjects: Database<number[], [stream: string, subject: string]>;
  readonly #sequences: Database<number, [stream: string, id: string]>;
  readonly #ids: Database<string, [stream: string, sequence: number]>;

  constructor(file: string) {
    this.#root = open({ path: file, noSubdir: true });
    this.#streams = this.#root.openDB('streams', {});
    this.#messages = this.#root.openDB('messages', {});
    this.#subjects = this.#root.openDB('subjects', {});
    this.#sequences = this.#root.openDB('sequences', {});
    this.#ids = this.#root.openDB('ids', {});
  }

  identity(stream: string): StreamIdentity | undefined {
    const found = this.#streams.get(stream);
    return found && { created: found.created, lastSequence: found.last };
  }

  state(stream: string): StreamState | undefined {
    const found = this.#streams.get(stream);
    return found && { created: found.created, lastSequence: found.last, firstSequence: found.first, bytes: found.bytes };
  }

  /** Takes every message before a sequence away. */
  async trim(name: string, before: number): Promise<void> {
    await this.#root.transaction(() => {
      const stream = this.#streams.get(name);
      if (stream === undefined || before <= stream.first) return;
      let freed = 0;
      for (const { key, value } of this.#messages.getRange({ start: [name, stream.first], end: [name, before] })) {
        freed += bytesOf(value);
        void this.#messages.remove(key);
      }
      void this.#streams.put(name, { ...stream, first: before, bytes: stream.bytes - freed });
    });
  }

  /** Makes the stream where it is missing. */
  async create(stream: string, keeps: Keeps, subject?: string): Promise<void> {
    const made: Stream = {
      created: `${new Date().toISOString()} ${randomUUID()}`,
      keeps,
      last: 0,
      first: 1,
      bytes: 0,
      ...(subject !== undefined && { subject }),
    };
    await this.#root.transaction(() => {
      if (!this.#streams.doesExist(stream)) void this.#streams.put(stream, made);
    });
  }

  streamOfSubject(subject: string): string | undefined {
    return [...this.#streams.getRange()].find(({ value }) => value.subject === subject)?.key;
  }

  async destroy(stream: string): Promise<void> {
    await this.#root.transaction(() => {
      void this.#streams.remove(stream);
      for (const part of [this.#messages, this.#subjects, this.#sequences, this.#ids] as Database<unknown, [string, string | number]>[]) {
        for (const key of [...part.getKeys(all(stream))]) void part.remove(key);
      }
    });
  }

  write(name: string, message: Message, expected?: Expected): Promise<WriteResult> {
    return this.#root.transaction(() => {
      const stream = this.#streams.get(name);
      if (stream === undefined) return refused(`there is no stream ${name}`);
      const written = this.#sequences.get([name, message.id]);
      if (written !== undefined) return { done: true, revision: written, duplicate: true };
      const kept = this.#subjects.get([name, message.subject]) ?? [];
      const found = expected?.of === 'stream' ? stream.last : (kept.at(-1) ?? 0);
      if (expected !== undefined && expected.sequence !== found) return otherRevision(found);
      return this.#store(name, stream, message, kept);
    });
  }

  #store(name: string, stream: Stream, message: Message, kept: readonly number[]): WriteResult {
    const sequence = stream.last + 1;
    const keeps = stream.keeps === 'all' ? 1 : stream.keeps;
    const now = [...kept, sequence];
    const over = now.splice(0, Math.max(0, now.length - keeps));
    void this.#streams.put(name, { ...stream, last: sequence, bytes: stream.bytes + bytesOf(message) });
    void this.#messages.put([name, sequence], message);
    void this.#subjects.put([name, message.subject], now);
    if (stream.keeps !== 'all') for (const old of over) void this.#messages.remove([name, old]);
    this.#remember(name, sequence, message.id);
    return { done: true, revision: sequence, duplicate: false };
  }

  #remember(name: string, sequence: number, id: string): void {
    void this.#sequences.put([name, id], sequence);
    void this.#ids.put([name, sequence], id);
    const forgotten = this.#ids.get([name, sequence - IDS_KEPT]);
    if (forgotten === undefined) return;
    void this.#sequences.remove([name, forgotten]);
    void this.#ids.remove([name, sequence - IDS_KEPT]);
  }

  at(stream: string, sequence: number): Stored | undefined {
    const message = this.#messages.get([stream, sequence]);
    return message && { ...message, sequence };
  }

  last(stream: string, subject: string): Stored | undefined {
    const sequence = this.#subjects.get([stream, subject])?.at(-1);
    return sequence === undefined ? undefined : this.at(stream, sequence);
  }

  /** Whether the message was its subject's last one when the stream stood at `head`. */
  wasLast(stream: string, message: Stored, head: number): boolean {
    const kept = this.#subjects.get([stream, message.subject]) ?? [];
    return kept.findLast((sequence) => sequence <= head) === message.sequence;
  }

  /** Messages behind a sequence by rising sequence, at most `limit`. */
  after(stream: string, sequence: number, limit: number): Stored[] {
    const range = this.#messages.getRange({ start: [stream, sequence + 1], end: [stream, Number.MAX_SAFE_INTEGER], limit });
    return [...range].map(({ key, value }) => ({ ...value, sequence: key[1] }));
  }

  subjects(stream: string): Set<string> {
    return new Set([...this.#subjects.getKeys(all(stream))].map(([, subject]) => subject));
  }

  async close(): Promise<void> {
    await this.#root.flushed;
    await this.#root.close();
  }
}

/** Every key of a stream: an array's first part sorts before what is longer, and no name goes on with the highest character. */
function all(stream: string): { start: string[]; end: string[] } {
  return { start: [stream], end: [stream, '\uffff'] };
}

export function bytesOf({ text = '' }: Message): number {
  return Buffer.byteLength(text);
}

export function otherRevision(found: number): WriteResult {
  return { done: false, because: 'other-revision', says: `wrong last sequence: ${found}` };
}
