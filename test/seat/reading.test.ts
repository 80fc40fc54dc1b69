import { describe, expect, test } from 'vitest';
import type { BusEntry } from '../../src/bus/port.ts';
import { changes } from '../../src/seat/reading.ts';

const BUCKET = 'mesh-controller_wants';
const picture = (created: string, entries: Record<string, number>) => ({
  created: () => created,
  entries: () => new Map(Object.entries(entries).map(([key, revision]) => [key, { revision }])),
});
const image = (created: string, entries: readonly BusEntry[]) => ({
  bucket: BUCKET,
  identity: { created, lastSequence: 20 },
  entries: new Map(entries.map((entry) => [entry.key, entry])),
});
const want = (key: string, revision: number, text: string | undefined = '{"build":"b1"}') => ({ key, revision, text });

describe('an image of a bucket', () => {
  test('brings what is new or changed, and nothing else', () => {
    const facts = changes(picture('one', { 'n.a': 1, 'n.b': 2 }), image('one', [want('n.a', 1), want('n.b', 5), want('n.c', 6)]));
    expect(facts).toEqual([
      { type: 'entry', bucket: BUCKET, key: 'n.b', revision: 5, value: { build: 'b1' } },
      { type: 'entry', bucket: BUCKET, key: 'n.c', revision: 6, value: { build: 'b1' } },
    ]);
  });

  test('tells what was deleted while nobody looked, with and without a marker (P3)', () => {
    const marker: BusEntry = { key: 'n.a', revision: 9, text: undefined };
    expect(changes(picture('one', { 'n.a': 1, 'n.b': 2 }), image('one', [marker]))).toEqual([
      { type: 'entry', bucket: BUCKET, key: 'n.a', revision: 9 },
      { type: 'entry', bucket: BUCKET, key: 'n.b', revision: 20 },
    ]);
  });

  test('brings every entry of a stream that was made anew', () => {
    expect(changes(picture('one', { 'n.a': 1 }), image('two', [want('n.a', 1)]))).toHaveLength(1);
  });

  test('says what cannot be read, and what is out of shape (P6)', () => {
    expect(changes(picture('one', {}), image('one', [want('n.a', 1, '{}'), want('alone', 2)]))).toMatchObject([
      { type: 'entry', key: 'n.a', unreadable: { field: 'build' } },
      { type: 'out-of-shape', bucket: BUCKET, key: 'alone' },
    ]);
  });
});
