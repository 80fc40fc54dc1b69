import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Bus } from '../../src/bus/port.ts';
import type { Effect, OwedEffect } from '../../src/machines/effects.ts';
import type { Fact } from '../../src/machines/facts.ts';
import { Outbox } from '../../src/seat/outbox.ts';
import { type BusUnderTest, embeddedBus } from '../bus/buses.ts';
import { ManualClock } from '../bus/manual-clock.ts';
import { until } from '../bus/until.ts';
import { pass } from './stepping.ts';

const BUCKET = 'mesh-provisioner_plans';
const KEY = 'n1.blog';
const put = (value: unknown): Effect => ({ kind: 'put', bucket: BUCKET, key: KEY, value });
const end: Effect = { kind: 'end', ask: 'a', why: 'it is needed again' };
const raise: Effect = { kind: 'raise', ask: 'a', subject: 'n1.blog.route', question: 'May it go?', proof: null };

describe('the outbox', () => {
  let under: BusUnderTest;
  let clock: ManualClock;
  let facts: Fact[];
  let lost: string[];
  let withheld: string | undefined;

  beforeEach(async () => {
    under = await embeddedBus();
    await under.bus.createBucket(BUCKET, { history: 5 });
    clock = new ManualClock();
    facts = [];
    lost = [];
    withheld = undefined;
  });
  afterEach(() => under.end());

  const outboxOn = (bus: Partial<Bus> = {}) =>
    new Outbox({
      bus: Object.assign(Object.create(under.bus) as Bus, bound(under.bus), bus),
      clock,
      epoch: 2,
      withheld: () => withheld,
      builds: () => ['b0'],
      report: (fact) => facts.push(fact),
      lost: (why) => lost.push(why),
    });
  const owed = (id: string, effect: Effect): OwedEffect => ({ id, owner: 'node.n1', effect });
  const reported = (count: number) => until(() => facts.length >= count, `${count} facts`);
  const text = async () => (await under.bus.get(BUCKET, KEY))?.text;

  test('writes with the id of the effect and the epoch of the seat', async () => {
    outboxOn().offer(owed('7.0', put({ build: 'b1' })));
    await reported(1);
    expect(facts).toEqual([{ type: 'done', effect: '7.0', revision: 1 }]);
    expect(await under.bus.get(BUCKET, KEY)).toMatchObject({ id: '7.0', epoch: 2, text: '{"build":"b1"}' });
  });

  test('an end that the router refuses is not an end: it goes again until it stands', async () => {
    const replies = [{ ok: false, code: 409, says: 'not now' } as const, { ok: true, text: '{}' } as const];
    outboxOn({ request: async () => replies.shift() ?? { ok: true, text: '{}' } }).offer(owed('7.0', end));
    await reported(1);
    expect(facts).toEqual([{ type: 'refused', effect: '7.0', code: 500, says: 'not now' }]);
    await pass(clock, 1_000);
    await reported(2);
    expect(facts[1]).toEqual({ type: 'done', effect: '7.0' });
  });

  test('an ask that the router does not know has nothing to end', async () => {
    outboxOn({ request: async () => ({ ok: false, code: 404, says: 'there is no ask a' }) }).offer(owed('7.0', end));
    await reported(1);
    expect(facts).toEqual([{ type: 'done', effect: '7.0' }]);
  });

  test('writes nothing where it stands there already', async () => {
    await under.bus.put(BUCKET, KEY, '{"build":"b1"}', { id: '6.0', epoch: 1 });
    outboxOn().offer(owed('7.0', put({ build: 'b1' })));
    await reported(1);
    expect(facts).toEqual([{ type: 'done', effect: '7.0', revision: 1 }]);
    expect((await under.bus.identity(BUCKET))?.lastSequence).toBe(1);
  });

  test('has one write of an entry under way, and of those that wait the newest wins', async () => {
    const written: string[] = [];
    let go = () => {};
    const first = new Promise<void>((done) => {
      go = done;
    });
    const outbox = outboxOn({
      put: async (...args) => {
        written.push(args[2]);
        await first;
        return under.bus.put(...args);
      },
    });
    for (const build of ['b1', 'b2', 'b3']) outbox.offer(owed(`7.${build}`, put({ build })));
    await until(() => written.length === 1, 'the first write');
    go();
    await reported(2);
    expect(written).toEqual(['{"build":"b1"}', '{"build":"b3"}']);
    expect(await text()).toBe('{"build":"b3"}');
  });

  test('sends the same bytes with the same id again until the outcome is known', async () => {
    const ids: string[] = [];
    const outbox = outboxOn({
      put: async (bucket, key, value, write) => {
        ids.push(write.id);
        const result = await under.bus.put(bucket, key, value, write);
        return ids.length < 3 ? { done: false, because: 'unknown', says: 'no answer in time' } : result;
      },
    });
    outbox.offer(owed('7.0', put({ build: 'b1' })));
    await until(() => ids.length === 1, 'the first try');
    expect(facts).toEqual([]);
    await pass(clock, 2_000);
    await reported(1);
    expect(facts).toEqual([{ type: 'done', effect: '7.0', revision: 1 }]);
    expect(new Set(ids)).toEqual(new Set(['7.0']));
  });

  test('takes the revision of an entry that another wrote, and puts it right', async () => {
    const outbox = outboxOn();
    outbox.offer(owed('7.0', put({ build: 'b1' })));
    await reported(1);
    await under.bus.put(BUCKET, KEY, '{"build":"foreign"}', { id: 'foreign', epoch: 0 });
    outbox.offer(owed('8.0', put({ build: 'b2' })));
    await reported(2);
    expect(facts[1]).toEqual({ type: 'done', effect: '8.0', revision: 3 });
    expect(await text()).toBe('{"build":"b2"}');
  });

  test('leaves the entry of a newer seat alone, and says that this one is lost', async () => {
    await under.bus.put(BUCKET, KEY, '{"build":"b9"}', { id: '9.0', epoch: 3 });
    outboxOn().offer(owed('7.0', put({ build: 'b1' })));
    await until(() => lost.length === 1, 'the loss');
    expect(lost[0]).toBe('mesh-provisioner_plans n1.blog was written by epoch 3, this is epoch 2');
    expect(await text()).toBe('{"build":"b9"}');
  });

  test('is not taken in by an id that named another value before', async () => {
    await under.bus.put(BUCKET, KEY, '{"build":"b0"}', { id: '7.0', epoch: 1 });
    outboxOn().offer(owed('7.0', put({ build: 'b1' })));
    await reported(1);
    expect(await text()).toBe('{"build":"b1"}');
  });

  test('says once that a write is refused, and writes it when it is taken', async () => {
    await under.destroyBucket(BUCKET);
    outboxOn().offer(owed('7.0', put({ build: 'b1' })));
    await reported(1);
    await pass(clock, 1_000);
    expect(facts).toEqual([{ type: 'refused', effect: '7.0', code: 500, says: 'bucket mesh-provisioner_plans is not there' }]);
    await under.bus.createBucket(BUCKET, { history: 5 });
    await pass(clock, 5_000);
    await reported(2);
    expect(facts[1]).toMatchObject({ type: 'done', effect: '7.0' });
  });

  test('lets a newer write take the place of one that is refused', async () => {
    await under.destroyBucket(BUCKET);
    const outbox = outboxOn();
    outbox.offer(owed('7.0', put({ build: 'b1' })));
    await reported(1);
    await under.bus.createBucket(BUCKET, { history: 5 });
    outbox.offer(owed('8.0', put({ build: 'b2' })));
    await until(() => facts.some(({ type }) => type === 'done'), 'the newer write');
    expect(facts.at(-1)).toMatchObject({ effect: '8.0' });
    expect(await text()).toBe('{"build":"b2"}');
  });

  test('withholds a raise whose time is over, and keeps a write until it may leave', async () => {
    withheld = 'the lease was not renewed in time';
    const outbox = outboxOn();
    outbox.offer(owed('7.0', raise));
    outbox.offer(owed('7.1', put({ build: 'b1' })));
    await reported(1);
    expect(facts).toEqual([{ type: 'withheld', effect: '7.0', says: 'the lease was not renewed in time' }]);
    expect(await text()).toBeUndefined();
    withheld = undefined;
    await pass(clock, 1_000);
    await reported(2);
    expect(facts[1]).toMatchObject({ type: 'done', effect: '7.1' });
  });

  test('asks the router until it answers, and takes a refusal as one', async () => {
    const answers = ['timeout', { ok: false, code: 429, says: 'too many' } as const];
    const outbox = outboxOn({
      request: async (subject, body, timeoutMs) => {
        const answer = answers.shift();
        return typeof answer === 'object' ? answer : under.bus.request(subject, body, timeoutMs);
      },
    });
    outbox.offer(owed('7.0', raise));
    await pass(clock, 1_000);
    await reported(1);
    expect(facts).toEqual([{ type: 'refused', effect: '7.0', code: 429, says: 'too many' }]);
  });

  test('reads live what a key rests on, and a read that fails proves nothing', async () => {
    const outbox = outboxOn();
    const [wants, compositions] = ['mesh-controller_wants', 'mesh-indexer_compositions'];
    for (const bucket of ['mesh-placement_modules', wants, 'mesh-host_haves', 'mesh-indexer_modules'])
      await under.bus.createBucket(bucket, { history: 1 });
    await under.bus.put(wants, 'n1.blog', '{"build":"b1"}', { id: 'w', epoch: 0 });
    outbox.offer(owed('7.0', { kind: 'prove', key: 'n1.blog.route' }));
    await reported(1);
    expect(facts[0]).toMatchObject({ type: 'refused', effect: '7.0', code: 503 });

    await under.bus.createBucket(compositions, { history: 1 });
    outbox.offer(owed('8.0', { kind: 'prove', key: 'n1.blog.route' }));
    await reported(2);
    expect(facts[1]).toEqual({
      type: 'proved',
      effect: '8.0',
      entries: [
        { type: 'entry', bucket: 'mesh-placement_modules', key: 'n1.blog', revision: 0 },
        { type: 'entry', bucket: wants, key: 'n1.blog', revision: 1, value: { build: 'b1' } },
        { type: 'entry', bucket: 'mesh-host_haves', key: 'n1.blog', revision: 0 },
        { type: 'entry', bucket: 'mesh-indexer_modules', key: 'blog', revision: 0 },
        { type: 'entry', bucket: compositions, key: 'blog.b0', revision: 0 },
        { type: 'entry', bucket: compositions, key: 'blog.b1', revision: 0 },
      ],
    });
  });
});

/** The bus's own methods, each on the bus itself. */
function bound(bus: Bus): Partial<Bus> {
  return {
    get: (...args) => bus.get(...args),
    put: (...args) => bus.put(...args),
    delete: (...args) => bus.delete(...args),
    subjects: (...args) => bus.subjects(...args),
    request: (...args) => bus.request(...args),
  };
}
