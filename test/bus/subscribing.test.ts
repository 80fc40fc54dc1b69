import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { Subscribing } from '../../src/bus/subscribing.ts';
import { follow } from '../../src/play/stage.ts';
import { adapters } from './buses.ts';
import { ManualClock } from './manual-clock.ts';
import { until } from './until.ts';

describe('a loop that wants events (L1)', () => {
  let clock: ManualClock;
  let tries: number;
  let serving: (serves: boolean) => void;
  let losses: number;
  let loop: Subscribing;

  beforeEach(() => {
    clock = new ManualClock();
    [tries, losses] = [0, 0];
    loop = new Subscribing({
      clock,
      onServing: (listener) => {
        serving = listener;
        return () => {};
      },
      subscribe: () => {
        tries += 1;
      },
      lost: () => {
        losses += 1;
      },
    });
    loop.start();
  });

  test('subscribes before it ever sleeps', () => {
    expect(tries).toBe(1);
  });

  test('sleeps after a refusal, longer each time, and never over 5 s', () => {
    for (const ms of [250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]) {
      const before = tries;
      expect(loop.ended()).toBe(false);
      clock.advance(ms - 1);
      expect(tries).toBe(before);
      clock.advance(1);
      expect(tries).toBe(before + 1);
    }
  });

  test('subscribes again at once where it had stood for a while', () => {
    loop.stood();
    clock.advance(30_000);
    expect(loop.ended()).toBe(true);
    clock.advance(0);
    expect(tries).toBe(2);
  });

  test('takes losses that follow each other for refusals', () => {
    loop.stood();
    expect(loop.ended()).toBe(true);
    clock.advance(249);
    expect(tries).toBe(1);
    clock.advance(1);
    expect(tries).toBe(2);
  });

  test('waits for what does not serve, and subscribes as soon as it does', () => {
    serving(false);
    loop.ended();
    clock.advance(60_000);
    expect([tries, losses]).toEqual([1, 1]);
    serving(true);
    expect(tries).toBe(2);
  });

  test('is over once it is stopped', () => {
    loop.ended();
    loop.stop();
    clock.advance(60_000);
    expect(tries).toBe(1);
  });
});

describe.each(adapters)('an event before the subscription, on the $name bus (L1)', ({ make }) => {
  test('is held until the subscription stands, and none is dropped', async () => {
    const under = await make();
    const clock = new ManualClock();
    const heard: (string | undefined)[] = [];
    const put = (key: string) => under.bus.put('events', key, key, { id: randomUUID(), epoch: 0 });
    const stop = follow({ bus: under.bus, clock, newId: randomUUID, say: () => {} }, 'events', (_, text) => heard.push(text));
    try {
      await under.bus.createBucket('events', { history: 5 });
      await put('before');
      await until(() => {
        clock.advance(250);
        return heard.length > 0;
      }, 'the event that came first');
      await put('after');
      await until(() => heard.length > 1, 'the next event');
      expect(heard).toEqual(['before', 'after']);
    } finally {
      stop();
      await under.end();
    }
  });

  test('is heard without any time that passes, where what it comes from serves already', async () => {
    const under = await make();
    const heard: (string | undefined)[] = [];
    await under.bus.createBucket('events', { history: 5 });
    await under.bus.put('events', 'first', 'first', { id: randomUUID(), epoch: 0 });
    const stage = { bus: under.bus, clock: new ManualClock(), newId: randomUUID, say: () => {} };
    const stop = follow(stage, 'events', (_, text) => heard.push(text));
    try {
      await until(() => heard.length > 0, 'the event');
      expect(heard).toEqual(['first']);
    } finally {
      stop();
      await under.end();
    }
  });
});
