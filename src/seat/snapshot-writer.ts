import { createHash } from 'node:crypto';
import { type Bus, BusError, type WriteResult } from '../bus/port.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { SNAPSHOT_VERSION } from '../kernel/piece.ts';
import { takePieces } from '../kernel/snapshot.ts';
import { Slots } from './slots.ts';
import { type Earlier, SNAPSHOTS, type Snapshot, SUPERVISOR_KEY, type WrittenSupervisor } from './snapshot-reader.ts';
import { packed } from './snapshot-text.ts';

const WRITES_AT_ONCE = 16;
/** The bucket keeps this many values of an entry. */
const HISTORY = 5;

export interface SnapshotParts {
  readonly bus: Bus;
  readonly kernel: Kernel;
  readonly epoch: number;
  /** The stream that the kernel was folded from, and the id of its last record. */
  readonly journal: string;
  record(): string | undefined;
  /** Asked before every write: the lease is good. */
  mayAct(): boolean;
}

interface Written {
  readonly revision: number;
  readonly hash: string;
}

/**
 * Writes snapshots of the kernel, each of them one (E2): the pieces that changed first, the supervisor's entry last, naming the revision
 * of every piece. Until that one is there, the one before it counts, and what it names is still kept.
 */
export class SnapshotWriter {
  readonly #written = new Map<string, Written>();
  /** How often a piece was written since a snapshot was last whole. */
  readonly #since = new Map<string, number>();
  readonly #named = new Map<string, number>();
  readonly #slots = new Slots(WRITES_AT_ONCE);
  #earlier: readonly Earlier[] = [];
  #revision: number;
  #seq: number;
  #round = 0;

  constructor(
    private readonly parts: SnapshotParts,
    from: Snapshot | undefined,
  ) {
    this.#revision = from?.revision ?? 0;
    this.#seq = from?.seq ?? 0;
    this.#earlier = from?.earlier ?? [];
    for (const [key, { revision, json }] of from?.pieces ?? []) {
      this.#written.set(key, { revision, hash: hashOf(json) });
      this.#named.set(key, revision);
    }
  }

  /** The record up to which the last whole snapshot goes. */
  get seq(): number {
    return this.#seq;
  }

  /** The record behind which every snapshot that is still kept has the rest of the journal. */
  get neededFrom(): number {
    return Math.min(this.#seq, ...this.#earlier.map(({ seq }) => seq)) + 1;
  }

  /** Throws {@link BusError} where the snapshot could not be made whole: the one before it counts on, and the next one brings all of it. */
  async write(): Promise<void> {
    const { kernel, journal } = this.parts;
    this.#round += 1;
    const { supervisor, others } = takePieces(kernel);
    const at = this.parts.record();
    const named = new Map(this.#named);
    try {
      const changed = [...others].sort(([one], [other]) => (this.#since.get(one) ?? 0) - (this.#since.get(other) ?? 0));
      const safe = changed.filter(([key]) => (this.#since.get(key) ?? 0) < HISTORY - 1);
      // A piece whose last named value one more write would push out comes when all that could fail before it did not.
      for (const group of [safe, changed.slice(safe.length)]) {
        await all(group.map(([key, piece]) => this.#slots.during(() => this.#piece(key, piece, named))));
      }
      const earlier = this.#seq === 0 ? [] : [{ seq: this.#seq, revision: this.#revision }, ...this.#earlier].slice(0, HISTORY - 1);
      const entry: WrittenSupervisor = {
        ...supervisor,
        version: SNAPSHOT_VERSION,
        journal,
        ...(at !== undefined && { record: at }),
        earlier,
        owed: supervisor.owed ?? [],
        pieces: Object.fromEntries([...named].sort()),
      };
      this.#revision = await this.#put(SUPERVISOR_KEY, JSON.stringify(entry), this.#revision);
      this.#seq = supervisor.seq;
      this.#earlier = earlier;
      this.#since.clear();
      await this.#forget(named);
    } catch (error) {
      for (const key of others.keys()) kernel.memory.changed.add(key);
      throw error;
    }
  }

  async #piece(key: string, piece: object | undefined, named: Map<string, number>): Promise<void> {
    if (piece === undefined) return void named.delete(key);
    const json = JSON.stringify(piece);
    const hash = hashOf(json);
    const before = this.#written.get(key);
    if (before?.hash !== hash) this.#written.set(key, { revision: await this.#put(key, json, before?.revision ?? 0), hash });
    named.set(key, this.#written.get(key)!.revision);
  }

  /** What no snapshot names any more is deleted, but for what the earlier ones still name: their values are in the history. */
  async #forget(named: ReadonlyMap<string, number>): Promise<void> {
    const { bus, epoch } = this.parts;
    for (const key of this.#named.keys()) {
      if (named.has(key)) continue;
      this.#assertMayAct();
      await bus.delete(SNAPSHOTS, key, { id: `snapshot.${epoch}.${this.#round}.${key}`, epoch });
      this.#written.delete(key);
    }
    this.#named.clear();
    for (const [key, revision] of named) this.#named.set(key, revision);
  }

  async #put(key: string, json: string, expected: number): Promise<number> {
    const text = packed(json);
    const id = `snapshot.${this.parts.epoch}.${this.#round}.${key}`;
    const first = await this.#send(key, text, id, expected);
    if (first.done && !first.duplicate) return first.revision;
    if (!first.done && first.because !== 'other-revision') throw new BusError('failed', `piece ${key} of the snapshot: ${first.says}`);
    const found = await this.parts.bus.get(SNAPSHOTS, key);
    if (found?.text === text) return found.revision;
    const { epoch } = this.parts;
    if ((found?.epoch ?? 0) > epoch)
      throw new BusError('failed', `piece ${key} was written by epoch ${found?.epoch}, this is epoch ${epoch}`);
    const again = await this.#send(key, text, `${id}.${found?.revision ?? 0}`, found?.revision ?? 0);
    if (again.done) return again.revision;
    throw new BusError('failed', `piece ${key} of the snapshot: ${again.says}`);
  }

  async #send(key: string, text: string, id: string, expected: number): Promise<WriteResult> {
    const { bus, epoch } = this.parts;
    this.#assertMayAct();
    const result = await bus.put(SNAPSHOTS, key, text, { id, epoch, expected });
    if (result.done || result.because === 'unknown') this.#since.set(key, (this.#since.get(key) ?? 0) + 1);
    return result;
  }

  #assertMayAct(): void {
    if (!this.parts.mayAct()) throw new BusError('failed', 'the lease was not renewed in time');
  }
}

/** Nothing is still under way once one of them has failed. */
async function all(works: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((work) => work.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

function hashOf(json: string): string {
  return createHash('sha256').update(json).digest('base64');
}
