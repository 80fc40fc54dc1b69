import { beforeEach, describe, expect, test } from 'vitest';
import { Sleep } from '../../src/seat/sleep.ts';
import { ManualClock } from '../bus/manual-clock.ts';

describe('a sleep', () => {
  let clock: ManualClock;
  let ahead: { day: number; monotonic: number };
  let woke: number[];
  let sleep: Sleep;

  beforeEach(() => {
    clock = new ManualClock();
    ahead = { day: 0, monotonic: 0 };
    woke = [];
    const monotonic = { now: () => clock.now() + ahead.monotonic, after: clock.after.bind(clock) };
    sleep = new Sleep(
      monotonic,
      () => clock.now() + ahead.day,
      () => woke.push(sleep.takeSlept()),
    );
  });

  test('is none while time passes as it should, or jumps a little', () => {
    clock.advance(60_000);
    ahead.day = 30_000;
    clock.advance(60_000);
    expect(woke).toEqual([]);
    expect(sleep.takeSlept()).toBe(0);
  });

  test.each(['day', 'monotonic'] as const)('is seen once in the %s time that jumped ahead', (time) => {
    clock.advance(5_000);
    ahead[time] = 31_000;
    clock.advance(60_000);
    expect(woke).toEqual([31_000]);
  });

  test('is seen by whoever asks before the timer does', () => {
    clock.advance(7_000);
    ahead.day = 3_000_000;
    expect(sleep.takeSlept()).toBe(2_997_000);
    clock.advance(60_000);
    expect(woke).toEqual([]);
  });

  test('is not looked for after the end', () => {
    sleep.stop();
    ahead.day = 100_000;
    clock.advance(60_000);
    expect(woke).toEqual([]);
  });
});
