import { beforeEach, describe, expect, test } from 'vitest';
import type { Fact } from '../../src/machines/facts.ts';
import { Due } from '../../src/seat/due.ts';
import type { LateFacts } from '../../src/seat/turn.ts';
import { ManualClock } from '../bus/manual-clock.ts';

describe('deadlines', () => {
  let clock: ManualClock;
  let slow: number;
  let wakes: Map<string, number>;
  let facts: Fact[];
  let due: Due;

  beforeEach(() => {
    clock = new ManualClock();
    slow = 0;
    wakes = new Map();
    facts = [];
    const take = (late: Fact | LateFacts) => facts.push(...(late as LateFacts)());
    const time = { now: () => clock.now() - slow, after: clock.after.bind(clock) };
    due = new Due(time, { wakes: () => wakes }, { take });
  });

  test('come when their time comes, together where it is the same', () => {
    wakes = new Map([
      ['node.a', 100],
      ['node.b', 100],
      ['node.c', 200],
    ]);
    due.follow();
    clock.advance(99);
    expect(facts).toEqual([]);
    clock.advance(1);
    expect(facts).toEqual([
      { type: 'due', owner: 'node.a' },
      { type: 'due', owner: 'node.b' },
    ]);
  });

  test('give way to an earlier one that came later', () => {
    wakes.set('node.a', 500);
    due.follow();
    wakes.set('node.b', 100);
    due.follow();
    clock.advance(100);
    expect(facts).toEqual([{ type: 'due', owner: 'node.b' }]);
  });

  test('are not lost where a timer fires before the time of day says so', () => {
    wakes.set('node.a', 100);
    due.follow();
    slow = 1;
    clock.advance(100);
    expect(facts).toEqual([]);
    clock.advance(1);
    expect(facts).toEqual([{ type: 'due', owner: 'node.a' }]);
  });
});
