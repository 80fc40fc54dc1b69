import { type Bus, type BusEntry, BusError, type WriteResult } from '../bus/port.ts';
import type { Effect } from '../machines/effects.ts';
import type { Fact } from '../machines/facts.ts';

/** What one try came to. Only `known` is an outcome; everything else is tried again, or ends the seat. */
export type Tried =
  | { readonly outcome: 'known'; readonly fact: Fact }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'refused'; readonly says: string }
  | { readonly outcome: 'lost'; readonly says: string };

type Write = Extract<Effect, { kind: 'put' | 'delete' }>;

/** Writes entries of the seat's own: compares first, then a conditional write with the effect's id. One call an entry at a time. */
export class EntryWriter {
  readonly #revisions = new Map<string, number>();
  readonly #listed = new Map<string, ReadonlySet<string>>();

  constructor(
    private readonly bus: Bus,
    private readonly epoch: number,
  ) {}

  async list(bucket: string): Promise<void> {
    this.#listed.set(bucket, await this.bus.subjects(bucket));
  }

  /** @param mayStill asked again after every answer that was waited for */
  async write(id: string, effect: Write, mayStill: () => boolean): Promise<Tried> {
    try {
      return await this.#write(id, effect, mayStill);
    } catch (error) {
      if (!(error instanceof BusError)) throw error;
      if (error.code === 'no-bucket') this.#listed.delete(effect.bucket);
      const isRefused = error.code === 'no-bucket' || error.code === 'permission';
      return isRefused ? { outcome: 'refused', says: error.message } : { outcome: 'unknown' };
    }
  }

  async #write(id: string, effect: Write, mayStill: () => boolean): Promise<Tried> {
    let expected = this.#known(effect);
    if (expected === undefined) {
      const entry = await this.bus.get(effect.bucket, effect.key);
      const known = this.#compare(id, effect, entry);
      if (known !== undefined) return known;
      expected = entry?.revision ?? 0;
    }
    if (!mayStill()) return { outcome: 'unknown' };
    const result = await this.#send(id, effect, expected);
    // An id that named another value before is acknowledged and its bytes are dropped.
    if (result.done && !result.duplicate) return this.#done(id, effect, result.revision);
    if (!result.done && result.because === 'unknown') return { outcome: 'unknown' };
    if (!result.done && result.because === 'refused') return { outcome: 'refused', says: result.says };
    const entry = await this.bus.get(effect.bucket, effect.key);
    const known = this.#compare(id, effect, entry);
    if (known !== undefined) return known;
    this.#revisions.set(nameOf(effect), entry?.revision ?? 0);
    if (!mayStill()) return { outcome: 'unknown' };
    const again = await this.#send(result.done ? `${id}.${entry?.revision ?? 0}` : id, effect, entry?.revision ?? 0);
    if (again.done) return this.#done(id, effect, again.revision);
    return again.because === 'refused' ? { outcome: 'refused', says: again.says } : { outcome: 'unknown' };
  }

  #known(effect: Write): number | undefined {
    const isNew = this.#listed.get(effect.bucket)?.has(effect.key) === false;
    return this.#revisions.get(nameOf(effect)) ?? (isNew ? 0 : undefined);
  }

  /** Already there is done; a newer seat's entry is a lost seat. */
  #compare(id: string, effect: Write, entry: BusEntry | undefined): Tried | undefined {
    const wanted = textOf(effect);
    if (entry?.text === wanted) return this.#done(id, effect, entry?.revision ?? 0);
    if ((entry?.epoch ?? 0) <= this.epoch) return undefined;
    return { outcome: 'lost', says: `${effect.bucket} ${effect.key} was written by epoch ${entry?.epoch}, this is epoch ${this.epoch}` };
  }

  #done(id: string, effect: Write, revision: number): Tried {
    this.#revisions.set(nameOf(effect), revision);
    return { outcome: 'known', fact: { type: 'done', effect: id, revision } };
  }

  #send(id: string, effect: Write, expected: number): Promise<WriteResult> {
    const write = { id, epoch: this.epoch, expected };
    const text = textOf(effect);
    return text === undefined ? this.bus.delete(effect.bucket, effect.key, write) : this.bus.put(effect.bucket, effect.key, text, write);
  }
}

function textOf(effect: Write): string | undefined {
  return effect.kind === 'put' ? JSON.stringify(effect.value) : undefined;
}

function nameOf({ bucket, key }: Write): string {
  return `${bucket} ${key}`;
}
