import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock as monotonic } from '../../src/bus/clock.ts';
import { inputBuckets } from '../../src/bus/contracts/buckets.ts';
import type { Provision } from '../../src/bus/contracts/provisions.ts';
import type { Bus } from '../../src/bus/port.ts';
import { runSeat, type Seat } from '../../src/seat/run.ts';
import { systemClock as clock } from '../../src/system-clock.ts';
import { adapters, type BusUnderTest } from '../bus/buses.ts';
import { until } from '../bus/until.ts';

const settings = {
  dwellMs: 200,
  brakeWindowMs: 60_000,
  brakeSettleMs: 60_000,
  wordMs: 60_000,
  askRecordMs: 60_000,
  asksOpenMax: 3,
  leaseMs: 800,
  registryMs: 60_000,
  snapshotMs: 60_000,
  journalAgeMs: 60_000,
  journalBytes: 1_000_000,
};
const KEY = 'n1.blog.route';
const unknown = Promise.resolve({ done: false, because: 'unknown', says: 'no answer in time' } as const);
const need = { needs: [{ provision: 'route', with: { host: 'a' } }] };

describe.each(adapters)('a seat on the $name bus', ({ make }) => {
  let under: BusUnderTest;
  let bus: Bus;
  let seats: Seat[];
  let lines: string[];
  let writes: number;

  beforeEach(async () => {
    under = await make();
    bus = under.bus;
    [seats, lines, writes] = [[], [], 0];
    for (const bucket of [...inputBuckets, 'adapter_bound']) await bus.createBucket(bucket, { history: 5 });
    const at = new Date(0).toISOString();
    for (const [module, composition] of [
      ['adapter', { offers: [{ provision: 'route', credential: 'none', bound: true }] }],
      ['blog', need],
      ['quiet', { needs: [] }],
    ] as const) {
      await put('mesh-placement_modules', `n1.${module}`, {});
      await put('mesh-controller_wants', `n1.${module}`, { build: 'b1' });
      await put('mesh-host_haves', `n1.${module}`, { build: 'b1', state: 'healthy', at });
      await put('mesh-indexer_modules', module, { newest: 'b1', builds: ['b1'], at });
      await put('mesh-indexer_compositions', `${module}.b1`, composition);
    }
    await put('mesh-placement_machines', 'n1', { address: '10.0.0.1' });
  });
  afterEach(async () => {
    for (const seat of seats) await seat.stop();
    await under.end();
  });

  async function put(bucket: string, key: string, value: unknown): Promise<void> {
    writes += 1;
    const write = { id: `test.${writes}`, epoch: 0 };
    await (value === undefined ? bus.delete(bucket, key, write) : bus.put(bucket, key, JSON.stringify(value), write));
  }
  async function run(instance: string, over: Bus = bus, more: Partial<typeof settings> = {}): Promise<Seat> {
    const seat = await runSeat({
      bus: over,
      settings: { ...settings, ...more },
      instance,
      clock,
      monotonic,
      log: pino({ level: 'silent' }),
      router: 'builtin',
    });
    seat.onProgress((line) => lines.push(`${instance}: ${line}`));
    seats.push(seat);
    return seat;
  }
  const entry = async (): Promise<Provision | undefined> => {
    const text = (await bus.get('mesh-provisioner_provisions', KEY))?.text;
    return text === undefined ? undefined : (JSON.parse(text) as Provision);
  };
  const provide = async () => {
    await until(async () => (await entry())?.detail === 'asked', 'the question to the provider');
    await put('adapter_bound', KEY, { state: 'provided', generation: 1, at: new Date().toISOString() });
    await until(async () => (await entry())?.state === 'provided', 'the provision');
  };
  const says = async (verb: string, request: object) => {
    const reply = await bus.request(verb, JSON.stringify(request), 5_000);
    return reply.ok ? JSON.parse(reply.text) : reply;
  };

  test('brings a key from its need to its provision, and says so', async () => {
    const seat = await run('one');
    await provide();
    expect(seat.ready()).toBe(true);
    await until(() => seat.probe().reads.every(({ missing }) => missing === undefined), 'the reads');
    expect(seat.probe()).toMatchObject({
      lives: true,
      leaseLeftMs: expect.toSatisfy((left) => left > 0 && left <= 0.8 * settings.leaseMs),
    });
    expect(seat.probe()).not.toHaveProperty('notHeld');
    expect(seat.probe().reads.map(({ read, isOfGate }) => `${read} ${isOfGate}`)).toEqual([
      ...['placement', 'wants', 'haves', 'modules', 'compositions', 'provisions'].map((read) => `${read} true`),
      ...['asks', 'bound.adapter'].map((read) => `${read} false`),
    ]);
    await until(() => lines.includes('one: n1: 1 key, 1 provided'), 'the count');
    expect(lines[0]).toMatch(/^one: gate open after \d+\.\d s$/);
    expect(await says('mesh-provisioner.provisions', { node: 'n1' })).toMatchObject({ rows: [{ key: KEY, value: { state: 'provided' } }] });
    expect(await seat.call('mesh-provisioner.provisions', { node: 7 })).toMatchObject({ ok: false, code: 400 });
    await until(async () => (await bus.subjects('mesh-provisioner_registry')).size === 13, 'the registry');
  });

  test('asks before it lets a key go, and lets go on the answer', async () => {
    const seat = await run('one');
    await provide();
    await put('mesh-controller_wants', 'n1.blog', undefined);
    await put('mesh-placement_modules', 'n1.blog', undefined);
    await put('mesh-host_haves', 'n1.blog', undefined);
    await until(async () => (await entry())?.ask?.state === 'open', 'the ask');
    const id = (await entry())!.ask!.id;
    await until(() => lines.some((line) => line.startsWith('one: asked: ')), 'the line that says so');
    expect(await seat.call('mesh-router.answer', { id, answer: 'Approve', by: 'ada' })).toEqual({ ok: true, text: '{}' });
    await until(async () => (await entry())?.warrant?.answer === 'yes', 'the warrant');
    await put('adapter_bound', KEY, undefined);
    await until(async () => (await entry()) === undefined, 'the end of the key');
  });

  test('stands by while another holds the seat, and goes on where it left off', async () => {
    const former = await run('former');
    await provide();
    const revision = (await bus.get('mesh-provisioner_provisions', KEY))!.revision;
    const next = await run('next');
    expect(lines.at(-1)).toBe('next: standing by: former (epoch 1) holds the seat');
    expect(await next.call('mesh-provisioner.health', {})).toMatchObject({ ok: false, code: 503 });
    expect(next.probe()).toMatchObject({ lives: true, notHeld: expect.stringContaining('stands by'), leaseLeftMs: 0, reads: [] });
    await former.stop();
    await until(() => next.ready(), 'the take-over');
    expect(next.health().seat).toEqual({ instance: 'next', epoch: 2 });
    expect(await says('mesh-provisioner.provisions', {})).toMatchObject({ rows: [{ key: KEY, value: { state: 'provided' } }] });
    expect((await bus.get('mesh-provisioner_provisions', KEY))!.revision).toBe(revision);
  });

  test('settles what a crash left half done (E2)', async () => {
    const refusing = new Proxy(bus, {
      get(target, name) {
        if (name === 'put') return (...args: Parameters<Bus['put']>) => (args[0].endsWith('_provisions') ? unknown : bus.put(...args));
        const found = target[name as keyof Bus];
        return typeof found === 'function' ? found.bind(target) : found;
      },
    });
    const former = await run('former', refusing);
    await until(() => former.ready(), 'the gate');
    await until(async () => (await bus.get('mesh-provisioner_plans', 'n1.blog')) !== undefined, 'a plan');
    await former.stop();
    expect(await entry()).toBeUndefined();
    await under.destroyBucket('mesh-host_haves');
    const next = await run('next');
    await until(async () => (await entry()) !== undefined, 'what was owed');
    expect((await bus.get('mesh-provisioner_provisions', KEY))!.epoch).toBe(2);
    expect(next.ready()).toBe(false);
  });

  test('goes on from its snapshot, and trims the journal behind it', async () => {
    const seat = await run('one', bus, { snapshotMs: 50, journalBytes: 1 });
    await provide();
    const snapshot = async () => JSON.parse((await bus.get('mesh-provisioner_snapshots', 'supervisor'))?.text ?? '{}');
    await until(async () => (await bus.streamState('LOG_mesh-provisioner_journal'))!.firstSequence > 1, 'the shorter journal');
    await seat.stop();
    expect((await snapshot()).seq).toBeGreaterThan(1);
    const next = await run('next');
    await until(() => next.ready(), 'the gate');
    expect(await says('mesh-provisioner.provisions', {})).toMatchObject({ rows: [{ key: KEY, value: { state: 'provided' } }] });
    expect(next.health().seat.epoch).toBe(2);
    expect(lines.filter((line) => line.includes('set aside'))).toEqual([]);
  });

  test('stops, and tries again later, where the journal was made anew behind it', async () => {
    const seat = await run('one');
    await provide();
    await under.destroyStream('LOG_mesh-provisioner_journal');
    await put('mesh-controller_wants', 'n1.quiet', { build: 'b2' });
    await until(() => lines.some((line) => line.startsWith('one: the seat is lost: ')), 'the loss');
    await until(() => seat.ready(), 'the next holding');
    expect(seat.health().seat.epoch).toBe(2);
    expect((await entry())?.state).toBe('provided');
  });

  test('says that it lives no more where only another start helps', async () => {
    let isBroken = false;
    const breaking = new Proxy(bus, {
      get(target, name) {
        if (name === 'get' && isBroken)
          return (...given: Parameters<Bus['get']>) =>
            given[0] === 'mesh-provisioner_seat' ? Promise.reject(new TypeError('a defect')) : bus.get(...given);
        const found = target[name as keyof Bus];
        return typeof found === 'function' ? found.bind(target) : found;
      },
    });
    const seat = await run('one', breaking);
    await provide();
    expect(seat.probe().lives).toBe(true);
    isBroken = true;
    await under.destroyStream('LOG_mesh-provisioner_journal');
    await put('mesh-controller_wants', 'n1.quiet', { build: 'b2' });
    await until(() => !seat.probe().lives, 'the end of it');
  });

  test('takes no word that the journal could not hold', async () => {
    const seat = await run('one');
    const request = { id: 'a', asker: 'x', subject: 's', question: 'q'.repeat(600_000), proof: null };
    expect(await seat.call('mesh-router.raise', request)).toMatchObject({ ok: false, code: 400 });
  });

  test('shuts the gate while a read is not there', async () => {
    const seat = await run('one');
    await until(() => seat.ready(), 'the gate');
    await under.destroyBucket('mesh-host_haves');
    await until(() => !seat.ready(), 'the shut gate');
    expect(seat.health().gate.missing).toMatchObject([{ read: 'haves' }]);
    expect(seat.probe().reads.filter(({ missing }) => missing !== undefined)).toMatchObject([{ read: 'haves', isOfGate: true }]);
    await under.destroyBucket('adapter_bound');
    await under.destroyBucket('mesh-router_asks');
    const missing = () => seat.probe().reads.flatMap(({ read, missing }) => (missing === undefined ? [] : [read]));
    await until(() => missing().length === 3, 'the other losses');
    expect(missing()).toEqual(['haves', 'asks', 'bound.adapter']);
    expect(await seat.call('mesh-provisioner.compose', { node: 'n1', by: 'ada', why: 'now' })).toMatchObject({ code: 423 });
  });
});
