import { refused } from '../limits.ts';
import type { StreamIdentity, StreamState, WriteResult } from '../port.ts';
import { bytesOf, type Expected, type Keeps, type Message, otherRevision, type Stored, type StreamStore } from './store.ts';

interface Stream {
  readonly created: string;
  readonly keeps: Keeps;
  readonly subject: string | undefined;
  last: number;
  /** By sequence, rising, as a Map keeps what is put into it. */
  readonly messages: Map<number, Stored>;
  readonly subjects: Map<string, number[]>;
  readonly ids: Map<string, number>;
}

/** The streams of {@link Store} in memory alone: gone with the process, and the same at every run. */
export class MemoryStore implements StreamStore {
  readonly #streams = new Map<string, Stream>();
  #made = 0;

  identity(stream: string): StreamIdentity | undefined {
    const found = this.#streams.get(stream);
    return found && { created: found.created, lastSequence: found.last };
  }

  state(stream: string): StreamState | undefined {
    const found = this.#streams.get(stream);
    if (found === undefined) return undefined;
    const [firstSequence = found.last + 1] = found.messages.keys();
    const bytes = [...found.messages.values()].reduce((sum, message) => sum + bytesOf(message), 0);
    return { created: found.created, lastSequence: found.last, firstSequence, bytes };
  }

  async trim(stream: string, before: number): Promise<void> {
    const messages = this.#streams.get(stream)?.messages;
    for (const sequence of messages?.keys() ?? []) {
      if (sequence >= before) return;
      messages?.delete(sequence);
    }
  }

  async create(stream: string, keeps: Keeps, subject?: string): Promise<void> {
    if (this.#streams.has(stream)) return;
    this.#made += 1;
    const created = `stream ${this.#made}`;
    this.#streams.set(stream, { created, keeps, subject, last: 0, messages: new Map(), subjects: new Map(), ids: new Map() });
  }

  streamOfSubject(subject: string): string | undefined {
    return [...this.#streams].find(([, stream]) => stream.subject === subject)?.[0];
  }

  async destroy(stream: string): Promise<void> {
    this.#streams.delete(stream);
  }

  async write(name: string, message: Message, expected?: Expected): Promise<WriteResult> {
    const stream = this.#streams.get(name);
    if (stream === undefined) return refused(`there is no stream ${name}`);
    const written = stream.ids.get(message.id);
    if (written !== undefined) return { done: true, revision: written, duplicate: true };
    const kept = stream.subjects.get(message.subject) ?? [];
    const found = expected?.of === 'stream' ? stream.last : (kept.at(-1) ?? 0);
    if (expected !== undefined && expected.sequence !== found) return otherRevision(found);
    stream.last += 1;
    const now = [...kept, stream.last];
    const keeps = stream.keeps === 'all' ? Number.POSITIVE_INFINITY : stream.keeps;
    for (const old of now.splice(0, Math.max(0, now.length - keeps))) stream.messages.delete(old);
    stream.messages.set(stream.last, { ...message, sequence: stream.last });
    stream.subjects.set(message.subject, stream.keeps === 'all' ? [stream.last] : now);
    stream.ids.set(message.id, stream.last);
    return { done: true, revision: stream.last, duplicate: false };
  }

  at(stream: string, sequence: number): Stored | undefined {
    return this.#streams.get(stream)?.messages.get(sequence);
  }

  last(stream: string, subject: string): Stored | undefined {
    const sequence = this.#streams.get(stream)?.subjects.get(subject)?.at(-1);
    return sequence === undefined ? undefined : this.at(stream, sequence);
  }

  wasLast(stream: string, message: Stored, head: number): boolean {
    const kept = this.#streams.get(stream)?.subjects.get(message.subject) ?? [];
    return kept.findLast((sequence) => sequence <= head) === message.sequence;
  }

  after(name: string, sequence: number, limit: number): Stored[] {
    const stream = this.#streams.get(name);
    const found: Stored[] = [];
    if (stream === undefined) return found;
    for (let next = sequence + 1; next <= stream.last && found.length < limit; next += 1) {
      const message = stream.messages.get(next);
      if (message !== undefined) found.push(message);
    }
    return found;
  }

  subjects(stream: string): Set<string> {
    return new Set(this.#streams.get(stream)?.subjects.keys());
  }

  async close(): Promise<void> {}
}
