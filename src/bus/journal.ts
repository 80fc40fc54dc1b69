import type { Clock } from './clock.ts';
import { type Bus, BusError, type StreamIdentity, type StreamRecord, type StreamState, type WriteResult } from './port.ts';

const STREAM = 'LOG_mesh-provisioner_journal';
const SUBJECT = 'LOG.mesh-provisioner.journal';
const AGAIN_AFTER_MS = 250;

export type Appended =
  | { readonly done: true; readonly sequence: number }
  /** Somebody else appended: this seat has lost its role. */
  | { readonly done: false; readonly because: 'fenced'; readonly says: string }
  /** The stream is gone or was made anew: the journal is lost, not the seat. */
  | { readonly done: false; readonly because: 'lost'; readonly says: string }
  /** The store said no: full, too large, not permitted. */
  | { readonly done: false; readonly because: 'refused'; readonly says: string };

type NotDone = Extract<WriteResult, { done: false }>;

/** The seat's journal (E1): an append expects the last sequence that this seat knows, so it is also the fence (E4). */
export class Journal {
  #head: number;
  #lastId: string | undefined;
  #isAppending = false;

  private constructor(
    private readonly bus: Bus,
    private readonly clock: Clock,
    /** Tells this stream from another of its name: what a snapshot was made of. */
    readonly created: string,
    head: number,
  ) {
    this.#head = head;
  }

  /**
   * Opens the journal and makes its stream where it is missing. Throws {@link BusError} where that cannot be.
   *
   * @param known the last sequence that this seat has taken in, 0 for none
   */
  static async open(bus: Bus, clock: Clock, known = 0): Promise<Journal> {
    await bus.createStream(STREAM, SUBJECT);
    const identity = await bus.streamState(STREAM);
    if (identity === undefined) throw new BusError('no-bucket', `stream ${STREAM} went as soon as it was made`);
    return new Journal(bus, clock, identity.created, known);
  }

  /** How the stream stands now. Throws {@link BusError} where it is gone, or that cannot be known. */
  async state(): Promise<StreamState> {
    const state = await this.bus.streamState(STREAM);
    if (state === undefined) throw new BusError('no-bucket', `stream ${STREAM} is gone`);
    return state;
  }

  /** This seat knows every record up to this one, or what they came to. */
  standAt(sequence: number, id?: string): void {
    this.#head = sequence;
    this.#lastId = id;
  }

  /** The first record that there is from a sequence on. */
  async recordFrom(sequence: number): Promise<StreamRecord | undefined> {
    for await (const record of this.records(sequence)) return record;
    return undefined;
  }

  /** Takes away every record before a sequence. */
  async trim(beforeSequence: number): Promise<void> {
    await this.bus.trimStream(STREAM, beforeSequence);
  }

  /** The last sequence that this seat has taken in or appended. */
  get head(): number {
    return this.#head;
  }

  /** The id of the record at the head. */
  get lastId(): string | undefined {
    return this.#lastId;
  }

  /** Records from a sequence on, to the last one there is at the call; what this seat knows stays as it is. */
  records(fromSequence: number): AsyncIterable<StreamRecord> {
    return this.bus.records(STREAM, fromSequence);
  }

  /** The records that this seat does not know yet; each counts as known as it is given. */
  async *unread(): AsyncGenerator<StreamRecord> {
    for await (const record of this.records(this.#head + 1)) {
      this.standAt(record.sequence, record.id);
      yield record;
    }
  }

  /**
   * Appends one record, one at a time. Nobody's answer is no answer: the same bytes with the same id go again until it is known.
   * Throws {@link BusError} where the bus was closed.
   *
   * @param write its id is never used for another record
   */
  async append(text: string, write: { readonly id: string; readonly epoch: number }): Promise<Appended> {
    if (this.#isAppending) throw new Error('the journal takes one append at a time: appends with guessed sequences break the fence');
    this.#isAppending = true;
    try {
      return await this.#appendUntilKnown(text, write);
    } finally {
      this.#isAppending = false;
    }
  }

  async #appendUntilKnown(text: string, write: { readonly id: string; readonly epoch: number }): Promise<Appended> {
    for (;;) {
      const result = await this.bus.append(SUBJECT, text, { ...write, expected: this.#head });
      if (result.done) return this.#appended(result.revision, write.id);
      const known = await this.#lookAfter(result, text, write.id);
      if (known !== undefined) return known;
      await new Promise<void>((done) => void this.clock.after(AGAIN_AFTER_MS, done));
    }
  }

  #appended(sequence: number, id: string): Appended {
    if (sequence !== this.#head + 1)
      throw new Error(`id ${id} is already the one of record ${sequence}: an id must never name two records`);
    this.standAt(sequence, id);
    return { done: true, sequence };
  }

  /** What a look at the stream itself tells of an append that was not acknowledged; `undefined` where only another try can tell. */
  async #lookAfter({ because, says }: NotDone, text: string, id: string): Promise<Appended | undefined> {
    try {
      const identity = await this.bus.streamState(STREAM);
      if (!this.#isSame(identity)) return { done: false, because: 'lost', says: `stream ${STREAM} is gone or was made anew (${says})` };
      if (because === 'unknown') return undefined;
      return because === 'refused' ? { done: false, because, says } : await this.#ownOrFenced(text, id);
    } catch (error) {
      if (error instanceof BusError && error.code !== 'permission') return undefined;
      throw error;
    }
  }

  async #ownOrFenced(text: string, id: string): Promise<Appended> {
    const next = await this.recordFrom(this.#head + 1);
    if (next?.id === id && next.text === text) return this.#appended(next.sequence, id);
    const whose = next?.epoch === undefined ? 'of no epoch' : `of epoch ${next.epoch}`;
    return { done: false, because: 'fenced', says: `record ${next?.sequence ?? this.#head + 1}, ${whose}, was appended by another` };
  }

  #isSame(identity: StreamIdentity | undefined): boolean {
    return identity?.created === this.created && identity.lastSequence >= this.#head;
  }
}
