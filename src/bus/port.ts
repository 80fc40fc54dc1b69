/**
 * The bus as the seat sees it: buckets with revisions, one append-only stream, request and reply.
 *
 * Two adapters, `nats/` and `embedded/`, pass one acceptance suite (`test/bus/acceptance.ts`). What may go wrong and is expected is a
 * value; what nobody can go on from is a thrown {@link BusError}. Values are text: every value on this wire is JSON.
 */

/** One message of a bucket: a value, or the marker that a delete left. Revisions are the stream's sequences. */
export interface BusEntry {
  readonly key: string;
  readonly revision: number;
  /** `undefined` is a delete marker. */
  readonly text: string | undefined;
  /** The `Nats-Msg-Id` and `Seat-Epoch` headers of a write of the seat. */
  readonly id?: string;
  readonly epoch?: number;
}

/** What tells a stream from another of its name (P3, P7). */
export interface StreamIdentity {
  readonly created: string;
  readonly lastSequence: number;
}

/** What a stream holds: every record from its first sequence to its last one. */
export interface StreamState extends StreamIdentity {
  /** One more than the last sequence where it holds none. */
  readonly firstSequence: number;
  readonly bytes: number;
}

export interface Write {
  /** `Nats-Msg-Id`: never used for two values. */
  readonly id: string;
  /** `Seat-Epoch`. */
  readonly epoch: number;
  /** The revision the entry must have; 0 means it must never have been written. Absent: whatever it is. */
  readonly expected?: number;
}

export type WriteResult =
  | { readonly done: true; readonly revision: number; readonly duplicate: boolean }
  /** The entry has another revision than expected: read it before anything else. */
  | { readonly done: false; readonly because: 'other-revision'; readonly says: string }
  /** The store said no: full, too large, not permitted, not there. */
  | { readonly done: false; readonly because: 'refused'; readonly says: string }
  /** Nobody knows whether it was written: send the same bytes with the same id again. */
  | { readonly done: false; readonly because: 'unknown'; readonly says: string };

/**
 * Entries of one bucket by rising revision: the last message of each key, then every message that comes, delete markers too. What is
 * overwritten before it is delivered may be left out, which is why a load is proved and not believed ({@link Bus.subjects}, P2).
 * Iteration throws {@link BusError} `watch-lost` when the connection or the bucket goes, and ends after `stop`.
 */
export interface Watch extends AsyncIterable<BusEntry> {
  stop(): void;
}

export interface StreamRecord {
  readonly sequence: number;
  readonly text: string;
  /** The `Nats-Msg-Id` and `Seat-Epoch` headers of the append. */
  readonly id?: string;
  readonly epoch?: number;
}

/** An expected refusal of a verb: its code is one of the contract's. */
export type ServiceReply =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly code: number; readonly says: string };

export interface Endpoint {
  /** Last token of the subject, but for the names that operators know (`provisioner_compose`, `provisioner_health`). */
  readonly name: string;
  readonly subject: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Must not reject; an adapter answers 500 with a plain sentence where it does. `subject` is the one that was called. */
  handle(text: string, subject: string): Promise<ServiceReply>;
}

export interface Service {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly endpoints: readonly Endpoint[];
}

export interface Bus {
  readonly kind: 'nats' | 'embedded';
  /** Where it is, for people: a URL without credentials, or a folder. */
  readonly where: string;

  /** The bucket's stream; `undefined` where there is no such bucket. Throws {@link BusError} where that cannot be known. */
  identity(bucket: string): Promise<StreamIdentity | undefined>;
  /** Makes the bucket where it is missing; `history` values are kept an entry. */
  createBucket(bucket: string, options: { history: number }): Promise<void>;
  /** Every key that the stream itself lists, delete markers too (P2). */
  subjects(bucket: string): Promise<ReadonlySet<string>>;
  /**
   * Never creates the bucket; throws {@link BusError} `no-bucket` or `permission`. With `afterRevision` every message kept since that
   * revision, not the last of each key alone.
   */
  watch(bucket: string, options?: { afterRevision?: number }): Promise<Watch>;
  /** The key's last message, from the stream and not from a replica of it; `undefined` where it has none. */
  get(bucket: string, key: string): Promise<BusEntry | undefined>;
  /** The key's message at one revision; `undefined` where it is no longer kept. */
  getAt(bucket: string, key: string, revision: number): Promise<BusEntry | undefined>;
  put(bucket: string, key: string, text: string, write: Write): Promise<WriteResult>;
  /** Leaves a delete marker. */
  delete(bucket: string, key: string, write: Write): Promise<WriteResult>;

  /** Makes the stream where it is missing; it keeps every record. */
  createStream(stream: string, subject: string): Promise<void>;
  /** How the stream stands; `undefined` where there is none. */
  streamState(stream: string): Promise<StreamState | undefined>;
  /** Takes away every record before a sequence; the others keep theirs. Throws {@link BusError} where that cannot be. */
  trimStream(stream: string, beforeSequence: number): Promise<void>;
  /** Appends where the stream's last sequence is the expected one. */
  append(subject: string, text: string, write: { id: string; epoch: number; expected: number }): Promise<WriteResult>;
  /** Records from a sequence on, to the last one there is at the call. Iteration throws {@link BusError} where they cannot be read. */
  records(stream: string, fromSequence: number): AsyncIterable<StreamRecord>;

  /** Serves endpoints until the returned function is called. */
  serve(service: Service): Promise<() => Promise<void>>;
  /** Throws {@link BusError} `no-responders` or `timeout`. */
  request(subject: string, text: string, timeoutMs: number): Promise<ServiceReply>;

  /** Called with `true` when the bus serves again after a loss, with `false` as it is lost. Returns how to stop listening. */
  onConnection(listener: (connected: boolean) => void): () => void;
  close(): Promise<void>;
}

export type BusErrorCode =
  | 'unreachable'
  | 'no-bucket'
  | 'permission'
  | 'watch-lost'
  | 'no-responders'
  | 'timeout'
  | 'in-use'
  | 'too-large'
  | 'failed';

export class BusError extends Error {
  override readonly name = 'BusError';
  constructor(
    readonly code: BusErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}
