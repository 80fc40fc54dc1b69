import type { Effect, OwedEffect } from '../machines/effects.ts';
import type { KernelMemory } from './memory.ts';

/** What the seat owes: each effect from the record that made it until its outcome is a fact; of an entry, only the newest. */
export class Owed {
  #sequence = 0;
  #made: OwedEffect[] = [];

  constructor(private readonly memory: Pick<KernelMemory, 'owed' | 'owedAt' | 'refused'>) {}

  /** Effects are numbered anew with each record, whose sequence in the journal is given. */
  begin(sequence: number): void {
    this.#sequence = sequence;
    this.#made = [];
  }

  owe(owner: string, effect: Effect): OwedEffect {
    const { owed, owedAt, refused } = this.memory;
    const one: OwedEffect = { id: `${this.#sequence}.${this.#made.length}`, owner, effect };
    if ('bucket' in effect) {
      const name = entryName(effect.bucket, effect.key);
      const older = owedAt.get(name);
      if (older !== undefined) {
        owed.delete(older);
        refused.delete(older);
      }
      owedAt.set(name, one.id);
    }
    owed.set(one.id, one);
    this.#made.push(one);
    return one;
  }

  /** What this record made and no later effect of it took the place of. */
  made(): readonly OwedEffect[] {
    return this.#made.filter(({ id }) => this.memory.owed.has(id));
  }

  isOwedAt(bucket: string, key: string): boolean {
    return this.memory.owedAt.has(entryName(bucket, key));
  }

  /** It stays owed, and is tried again. */
  refuse({ id, effect }: OwedEffect, says: string, at: number): void {
    const { refused } = this.memory;
    refused.set(id, { says, since: refused.get(id)?.since ?? at, effect });
  }

  settle({ id, effect }: OwedEffect): void {
    const { owed, owedAt, refused } = this.memory;
    owed.delete(id);
    refused.delete(id);
    if (!('bucket' in effect)) return;
    const name = entryName(effect.bucket, effect.key);
    if (owedAt.get(name) === id) owedAt.delete(name);
  }
}

export function entryName(bucket: string, key: string): string {
  return `${bucket} ${key}`;
}
