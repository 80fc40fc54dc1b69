import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Bus } from '../../src/bus/port.ts';
import { Lease } from '../../src/seat/lease.ts';
import { type BusUnderTest, embeddedBus } from '../bus/buses.ts';
import { ManualClock } from '../bus/manual-clock.ts';
import { until } from '../bus/until.ts';
import { pass as passOn } from './stepping.ts';

const BUCKET = 'mesh-provisioner_seat';
const LEASE_MS = 10_000;

describe('the lease', () => {
  let under: BusUnderTest;
  let clock: ManualClock;
  let said: string[];
  let day: number;
  let underWay: number;

  beforeEach(async () => {
    under = await embeddedBus();
    await under.bus.createBucket(BUCKET, { history: 1 });
    clock = new ManualClock();
    said = [];
    day = 0;
    underWay = 0;
  });
  afterEach(() => under.end());

  const pass = (time: ManualClock, ms: number) => passOn(time, ms, () => underWay === 0);
  async function counted<T>(asked: Promise<T>): Promise<T> {
    underWay += 1;
    return asked.finally(() => {
      underWay -= 1;
    });
  }
  const leaseOf = (instance: string, { time = clock, put }: { time?: ManualClock; put?: Bus['put'] } = {}) =>
    new Lease({
      bus: {
        ...({} as Bus),
        get: (...args) => counted(under.bus.get(...args)),
        put: (...args) => counted(put === undefined ? under.bus.put(...args) : put(...args)),
        delete: (...args) => counted(under.bus.delete(...args)),
      },
      clock: time,
      dayTime: () => time.now() + day,
      instance,
      leaseMs: LEASE_MS,
      say: (line) => said.push(`${instance}: ${line}`),
      lost: (why) => said.push(`${instance}: lost: ${why}`),
    });

  test('is taken where nobody holds it, and renewed', async () => {
    const lease = leaseOf('one');
    expect(await lease.acquire()).toBe(true);
    expect([lease.epoch, lease.mayAct()]).toEqual([1, true]);
    await pass(clock, 3 * LEASE_MS);
    expect(lease.mayAct()).toBe(true);
    expect((await under.bus.get(BUCKET, 'holder'))!.revision).toBeGreaterThan(10);
  });

  test('is stood by for while its holder renews it, and taken once it has stood unchanged for a lease', async () => {
    const frozen = new ManualClock();
    const former = leaseOf('former', { time: frozen });
    await former.acquire();
    const next = leaseOf('next');
    let taken = false;
    void next.acquire().then((is) => {
      taken = is;
    });
    for (let round = 0; round < 4; round += 1) {
      await pass(frozen, LEASE_MS / 2);
      await pass(clock, LEASE_MS / 2);
    }
    expect(taken).toBe(false);
    expect(said).toEqual(['next: standing by: former (epoch 1) holds the seat']);

    await pass(clock, LEASE_MS / 2);
    expect(taken).toBe(false);
    await pass(clock, LEASE_MS);
    await until(() => taken, 'the take-over');
    expect([next.epoch, next.mayAct()]).toEqual([2, true]);

    await pass(frozen, LEASE_MS);
    expect(said.at(-1)).toBe('former: lost: another instance took the seat');
    expect(former.mayAct()).toBe(false);
  });

  test('lets nothing leave later than 0.8 of it after the last renewal was sent', async () => {
    let isAway = false;
    const lease = leaseOf('one', {
      put: async (...args) => (isAway ? { done: false, because: 'unknown', says: 'no answer' } : under.bus.put(...args)),
    });
    await lease.acquire();
    isAway = true;
    await pass(clock, 0.8 * LEASE_MS - 50);
    expect(lease.mayAct()).toBe(true);
    await pass(clock, 50);
    expect(lease.mayAct()).toBe(false);
    isAway = false;
    await pass(clock, LEASE_MS);
    expect(lease.mayAct()).toBe(true);
    expect(said).toEqual([]);
  });

  test('is not good after a suspend, in which its clock stood still', async () => {
    const lease = leaseOf('one');
    await lease.acquire();
    day = LEASE_MS;
    expect(lease.mayAct()).toBe(false);
  });

  test('is still its own where only the answer to a renewal was lost', async () => {
    let answers = 0;
    const lease = leaseOf('one', {
      put: async (...args) => {
        const result = await under.bus.put(...args);
        answers += 1;
        return answers === 2 ? { done: false, because: 'unknown', says: 'no answer' } : result;
      },
    });
    await lease.acquire();
    await pass(clock, 2 * LEASE_MS);
    expect([said, lease.mayAct()]).toEqual([[], true]);
  });

  test('is given back, and the next epoch is a later one', async () => {
    const former = leaseOf('former');
    await former.acquire();
    await former.release();
    const next = leaseOf('next');
    await next.acquire();
    expect([next.epoch, said]).toEqual([2, []]);
  });

  test('outgrows the epoch that the journal knows', async () => {
    const lease = leaseOf('one');
    await lease.acquire();
    await lease.outgrow(8);
    expect(lease.epoch).toBe(9);
    expect(JSON.parse((await under.bus.get(BUCKET, 'holder'))!.text!)).toMatchObject({ instance: 'one', epoch: 9 });
  });
});
