import { beforeEach, describe, expect, test } from 'vitest';
import type { OwedEffect } from '../../src/machines/effects.ts';
import type { Fact, JournalRecord } from '../../src/machines/facts.ts';
import { type Appending, Turn } from '../../src/seat/turn.ts';
import { until } from '../bus/until.ts';

const due = (owner: string): Fact => ({ type: 'due', owner });
const effect: OwedEffect = { id: '1.0', owner: 'node.n1', effect: { kind: 'delete', bucket: 'b', key: 'k' } };

describe('a turn', () => {
  let happened: string[];
  let records: JournalRecord[];
  let now: number;
  let gate: Promise<void>;
  let sleptMs: number[];

  beforeEach(() => {
    happened = [];
    records = [];
    now = 5_000;
    sleptMs = [];
    gate = Promise.resolve();
  });

  const turnWith = (append?: Appending['append']) => {
    const taking: Appending['append'] = async (text) => {
      await gate;
      records.push(JSON.parse(text) as JournalRecord);
      happened.push('appended');
      return { done: true, sequence: records.length };
    };
    return new Turn({
      journal: { head: 0, append: append ?? taking },
      kernel: {
        owed: new Map([[effect.id, effect]]),
        step: (sequence) => {
          happened.push(`folded ${sequence}`);
          return { effects: [effect], replies: [{ ticket: 't', reply: { ok: true, value: {} } }], moves: [] };
        },
      },
      instance: 'me',
      epoch: 3,
      now: () => now,
      lastAt: 4_000,
      slept: () => sleptMs.splice(0).reduce((sum, ms) => sum + ms, 0),
      offer: ({ id }) => happened.push(`offered ${id}`),
      reply: (ticket) => happened.push(`replied ${ticket}`),
      stepped: ({ done }) => happened.push(`stepped, ${done.length} done`),
      ended: (says) => happened.push(`ended: ${says}`),
    });
  };
  const seen = (count: number) => until(() => records.length === count, `${count} records`);

  test('journals first, then folds, then sends, then answers', async () => {
    turnWith().take(due('supervisor'));
    await until(() => happened.length === 5, 'the whole turn');
    expect(happened).toEqual(['appended', 'folded 1', 'offered 1.0', 'replied t', 'stepped, 0 done']);
    expect(records).toEqual([{ version: 1, at: 5_000, instance: 'me', epoch: 3, facts: [due('supervisor')] }]);
  });

  test('is one at a time: what comes meanwhile waits, and goes into one record', async () => {
    let go = () => {};
    gate = new Promise((open) => {
      go = open;
    });
    const turn = turnWith();
    turn.take(due('a'));
    await Promise.resolve().then(() => Promise.resolve());
    turn.take(due('b'));
    turn.take(due('c'));
    go();
    await seen(2);
    expect(records.map(({ facts }) => facts)).toEqual([[due('a')], [due('b'), due('c')]]);
  });

  test('splits what is too much for one record, and keeps the order', async () => {
    const long = (name: string) => due(name.repeat(300 * 1024));
    turnWith().take(long('a'), long('b'), due('c'));
    await seen(2);
    expect(records.map(({ facts }) => facts.map((fact) => (fact as { owner: string }).owner[0]))).toEqual([['a'], ['b', 'c']]);
  });

  test('tells late facts only once everything before them is folded', async () => {
    const turn = turnWith();
    turn.take(due('a'), () => [due(`after ${happened.length} happenings`)]);
    await seen(2);
    expect(records[1]!.facts).toEqual([due('after 5 happenings')]);
  });

  test('says of an entry that no record can hold that it is unreadable, and of such a proof that it failed', async () => {
    const entry = { type: 'entry', bucket: 'b', key: 'k', revision: 3, value: 'a'.repeat(1_100_000) } as const;
    turnWith().take(entry, { type: 'proved', effect: '1.0', entries: [entry] });
    await seen(1);
    expect(records[0]!.facts).toMatchObject([
      { type: 'entry', bucket: 'b', key: 'k', revision: 3, unreadable: { field: '' } },
      { type: 'refused', effect: '1.0', code: 413 },
    ]);
  });

  test('tells of a sleep before anything else: no deadline that passed meanwhile acts first (P9)', async () => {
    sleptMs = [3_000_000];
    const turn = turnWith();
    turn.take(due('node.a'));
    await seen(1);
    expect(records[0]!.facts).toEqual([{ type: 'slept', forMs: 3_000_000 }, due('node.a')]);
    turn.take(due('node.b'));
    await seen(2);
    expect(records[1]!.facts).toEqual([due('node.b')]);
  });

  test('never goes back in time', async () => {
    now = 3_000;
    turnWith().take(due('a'));
    await seen(1);
    expect(records[0]!.at).toBe(4_000);
  });

  test('tells which effects its facts acknowledge', async () => {
    turnWith().take({ type: 'done', effect: '1.0', revision: 7 });
    await seen(1);
    await until(() => happened.includes('stepped, 1 done'), 'the step');
  });

  test('sends nothing and ends the seat where the journal does not take its record', async () => {
    const turn = turnWith(async () => ({ done: false, because: 'fenced', says: 'record 8, of epoch 4, was appended by another' }));
    turn.take(due('a'));
    await until(() => happened.length > 0, 'the end');
    turn.take(due('b'));
    expect(happened).toEqual(['ended: the journal takes no more of this seat: record 8, of epoch 4, was appended by another']);
  });
});
