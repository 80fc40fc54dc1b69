import { readEntry } from '../bus/contracts/parse.ts';
import type { BusEntry } from '../bus/port.ts';
import type { EntryFact, Fact } from '../machines/facts.ts';

type Found = Pick<BusEntry, 'revision' | 'text'>;

/** What an entry of the bus is to the machines: a value, unreadable, deleted, or a key outside its bucket's shape (P6). */
export function entryFact(bucket: string, key: string, { revision, text }: Found): EntryFact | Extract<Fact, { type: 'out-of-shape' }> {
  const read = readEntry(bucket, key, text ?? 'null');
  if (!read.ok && read.because === 'out-of-shape') return { type: 'out-of-shape', bucket, key, says: read.says };
  const fact = { type: 'entry', bucket, key, revision } as const;
  if (text === undefined) return fact;
  return read.ok ? { ...fact, value: read.value } : { ...fact, unreadable: { field: read.field, says: read.says } };
}
