import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EmbeddedBus } from '../../src/bus/embedded/embedded-bus.ts';
import { createInputs } from '../../src/mesh/inputs.ts';
import { play } from '../../src/play/play.ts';
import type { Clock } from '../../src/play/stage.ts';
import { temporaryFolder } from '../temporary.ts';

const root = temporaryFolder();
const WANTS = 'mesh-controller_wants';
const HAVES = 'mesh-host_haves';
const PROVISIONS = 'mesh-provisioner_provisions';
const BOUND = 'postgres_bound';
const KEY = 'ace.shop.database';
const AT = '2026-11-02T22:55:58.000Z';

let bus: EmbeddedBus;
let clock: ReturnType<typeof drivenClock>;
let stop: () => void;

beforeEach(async () => {
  bus = await EmbeddedBus.open(join(root, randomUUID()));
  await createInputs(bus);
  await bus.createBucket(PROVISIONS, { history: 1 });
  await put('mesh-indexer_compositions', 'postgres.b1', { offers: [{ provision: 'database', credential: 'pair', bound: true }] });
  await put('mesh-indexer_compositions', 'routes.b1', { offers: [{ provision: 'route', credential: 'none' }] });
  await put('mesh-placement_seats', 'mesh-vault', { node: 'ace', module: 'vault' });
  clock = drivenClock();
  stop = play({ bus, clock, newId: randomUUID, say: () => {} }, ['ace']);
});
afterEach(async () => {
  stop();
  await bus.close();
});

test('what is wanted starts, is healthy after a moment, and stops as it is wanted no more', async () => {
  await put(WANTS, 'ace.shop', { build: 'b1' });
  await holds(HAVES, 'ace.shop', { build: 'b1', state: 'starting' });
  await clock.passing(() => holds(HAVES, 'ace.shop', { build: 'b1', state: 'healthy' }));
  await put(WANTS, 'ace.shop', { build: 'b2' });
  await holds(HAVES, 'ace.shop', { build: 'b2', state: 'starting' });
  await remove(WANTS, 'ace.shop');
  await gone(HAVES, 'ace.shop');
});

test('a have of which the want went while nobody looked is deleted', async () => {
  await put(HAVES, 'ace.left', { build: 'b1', state: 'healthy', at: AT });
  await gone(HAVES, 'ace.left');
});

test('the nodes of others are left alone', async () => {
  await put(WANTS, 'novox.shop', { build: 'b1' });
  await put(HAVES, 'novox.left', { build: 'b1', state: 'healthy', at: AT });
  await put(WANTS, 'ace.shop', { build: 'b1' });
  await holds(HAVES, 'ace.shop', { build: 'b1' });
  expect(await bus.get(HAVES, 'novox.shop')).toBeUndefined();
  expect(await bus.get(HAVES, 'novox.left')).toMatchObject({ text: expect.any(String) });
});

test('a provider answers each generation after a moment', async () => {
  await put(PROVISIONS, KEY, provision({}));
  await clock.passing(() => holds(BOUND, KEY, { state: 'provided', generation: 1, value: { name: 'ace_shop_database', node: 'ace' } }));
  await put(PROVISIONS, KEY, provision({ generation: 2 }));
  await clock.passing(() => holds(BOUND, KEY, { state: 'provided', generation: 2 }));
});

test('a provider answers again where its entry was deleted', async () => {
  await put(PROVISIONS, KEY, provision({}));
  await clock.passing(() => holds(BOUND, KEY, { generation: 1 }));
  await remove(BOUND, KEY);
  await clock.passing(() => holds(BOUND, KEY, { generation: 1 }));
});

test('a provider does not answer a key that is blocked, or that names another', async () => {
  await put(PROVISIONS, 'ace.blocked.database', provision({ detail: 'blocked' }));
  await put(PROVISIONS, 'ace.other.database', provision({ provider: { node: 'novox', module: 'postgres' } }));
  await put(PROVISIONS, 'ace.web.route', provision({ provider: { node: 'ace', module: 'routes' } }));
  await put(PROVISIONS, KEY, provision({}));
  await clock.passing(() => holds(BOUND, KEY, { generation: 1 }));
  expect([...(await bus.subjects(BOUND))]).toEqual([KEY]);
  expect(await bus.identity('routes_bound')).toBeUndefined();
});

test('the vault answers for secrets, and never writes one', async () => {
  const key = 'ace.shop.secret-database';
  await put(PROVISIONS, key, provision({ provider: { node: 'ace', module: 'vault' } }));
  await clock.passing(() => holds('vault_bound', key, { state: 'provided', generation: 1 }));
  expect(await value('vault_bound', key)).not.toHaveProperty('value');
});

test('a provider lets go on a warrant for the generation, and on nothing else', async () => {
  await put(PROVISIONS, KEY, provision({}));
  await clock.passing(() => holds(BOUND, KEY, { generation: 1 }));
  const warrant = { ask: 'a', answer: 'yes', by: 'ada', at: AT, generation: 1 };
  await put(PROVISIONS, KEY, provision({ state: 'retiring', detail: 'asked', warrant: { ...warrant, generation: 2 } }));
  await put(PROVISIONS, 'ace.wiki.database', provision({}));
  await clock.passing(() => holds(BOUND, 'ace.wiki.database', { generation: 1 }));
  expect(await value(BOUND, KEY)).toMatchObject({ generation: 1 });
  await put(PROVISIONS, KEY, provision({ state: 'retiring', detail: 'warranted', warrant }));
  await gone(BOUND, KEY);
});

test('a former provider lets go on its own warrant', async () => {
  await put(PROVISIONS, KEY, provision({}));
  await clock.passing(() => holds(BOUND, KEY, { generation: 1 }));
  const former = {
    provider: { node: 'ace', module: 'postgres' },
    generation: 1,
    state: 'retiring',
    warrant: { ask: 'a', answer: 'yes', by: 'ada', at: AT, generation: 1 },
  };
  await put(PROVISIONS, KEY, provision({ generation: 2, provider: { node: 'novox', module: 'postgres' }, former: [former] }));
  await gone(BOUND, KEY);
});

function provision(over: object): object {
  return {
    state: 'judging',
    detail: 'asked',
    why: 'postgres on ace has not answered',
    since: AT,
    generation: 1,
    provider: { node: 'ace', module: 'postgres' },
    with: {},
    builds: ['b1'],
    dependsOn: [],
    evidence: [],
    ...over,
  };
}

async function put(bucket: string, key: string, entry: object): Promise<void> {
  await bus.put(bucket, key, JSON.stringify(entry), { id: randomUUID(), epoch: 0 });
}

async function remove(bucket: string, key: string): Promise<void> {
  await bus.delete(bucket, key, { id: randomUUID(), epoch: 0 });
}

async function value(bucket: string, key: string): Promise<unknown> {
  const text = (await bus.identity(bucket)) && (await bus.get(bucket, key))?.text;
  return text === undefined ? undefined : JSON.parse(text);
}

function holds(bucket: string, key: string, part: object): Promise<void> {
  return vi.waitFor(async () => expect(await value(bucket, key)).toMatchObject(part), { interval: 2 });
}

function gone(bucket: string, key: string): Promise<void> {
  return vi.waitFor(async () => expect(await bus.get(bucket, key)).toMatchObject({ text: undefined }), { interval: 2 });
}

/** A clock that stands still but while it is said to be passing. */
function drivenClock(): Clock & { passing(wait: () => Promise<void>): Promise<void> } {
  let now = Date.parse(AT);
  const timers = new Set<{ at: number; call: () => void }>();
  const advance = (milliseconds: number) => {
    now += milliseconds;
    for (const timer of timers) {
      if (timer.at > now) continue;
      timers.delete(timer);
      timer.call();
    }
  };
  return {
    now: () => now,
    after: (milliseconds, call) => {
      const timer = { at: now + milliseconds, call };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    passing: async (wait) => {
      const passes = setInterval(() => advance(50), 1);
      await wait().finally(() => clearInterval(passes));
    },
  };
}
