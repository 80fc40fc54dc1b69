import { beforeEach, describe, expect, test } from 'vitest';
import { watchForSleep } from '../../src/seat/sleep.ts';
import { ManualClock } from '../bus/manual-clock.ts';

describe('a sleep', () => {
  let clock: ManualClock;
  let dayAhead: number;
  let slept: number[];
  let stop: () => void;

  beforeEach(() => {
    clock = new ManualClock();
    dayAhead = 0;
    slept = [];
    stop = watchForSleep(
      clock,
      () => clock.now() + dayAhead,
      (forMs) => slept.push(forMs),
    );
  });

  test('is none while time passes as it should, or jumps a little', () => {
    clock.advance(60_000);
    dayAhead = 30_000;
    clock.advance(60_000);
    expect(slept).toEqual([]);
  });

  test('is seen once in the time of day that jumped ahead', () => {
    clock.advance(7_000);
    dayAhead = 31_000;
    clock.advance(60_000);
    expect(slept).toEqual([31_000]);
  });

  test('is not looked for after the end', () => {
    stop();
    dayAhead = 100_000;
    clock.advance(60_000);
    expect(slept).toEqual([]);
  });
});
