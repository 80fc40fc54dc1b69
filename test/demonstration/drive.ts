/**
 * Drives a running seat over the wire alone, and ends with an error where it does not do what it should.
 *
 *   npx tsx test/demonstration/drive.ts nats://127.0.0.1:4222
 *
 * The seat is expected to have been started with a short dwell on an empty server:
 *
 *   mesh-provisioner serve --bus nats://127.0.0.1:4222 --create-inputs --dwell-ms 500
 */
import assert from 'node:assert/strict';
import { apps, place, provide, putMesh, shop, takeAway } from './mesh.ts';
import { type Json, until, Wire } from './wire.ts';

const PROVISIONS = 'mesh-provisioner_provisions';

interface Provision {
  readonly state: string;
  readonly detail?: string;
  readonly generation: number;
  readonly provider?: { readonly module: string };
  readonly ask?: { readonly id: string };
  readonly warrant?: Json;
}
interface Ask {
  readonly subject: string;
  readonly state: string;
}

const wire = await Wire.to(process.argv[2] ?? 'nats://127.0.0.1:4222');
try {
  await bringsUp();
  await letsOneGo();
  await lets21Stay();
  await takesThemBack();
} finally {
  await wire.close();
}

async function bringsUp(): Promise<void> {
  const seen = new Map<string, string[]>();
  await wire.follow(PROVISIONS, (key, value) => {
    const { state, detail } = (value ?? { state: 'gone' }) as { state: string; detail?: string };
    const before = seen.get(key) ?? [];
    seen.set(key, [...before, detail === undefined ? state : `${state}/${detail}`]);
  });
  await provide(wire);
  await putMesh(wire);
  const keys = routes(Object.keys(apps)).concat(shop.keys, 'ace.shop.schedule.nightly');
  await until('every key provided', async () => (await statesOf(keys)).every((state) => state === 'provided'));
  for (const key of keys) {
    assert.equal(seen.get(key)?.at(-1), 'provided');
    if (!key.includes('schedule')) assert.ok(seen.get(key)?.includes('judging/asked'), `${key} was ${seen.get(key)}`);
  }
  say(`${keys.length} keys were asked, then provided`);
}

async function letsOneGo(): Promise<void> {
  await takeAway(wire, shop.node, shop.module);
  const approved: string[] = [];
  for (const key of ['ace.shop.route', 'ace.shop.database', 'ace.shop.schedule.nightly', 'ace.shop.secret-database']) {
    await until(`an ask of ${key}`, async () => (await asksOf(key)).length > 0);
    const [[id, ask]] = (await asksOf(key)) as [[string, Ask]];
    assert.equal(ask.state, 'open');
    await wire.ask('mesh-router.answer', { id, answer: 'Approve', by: 'anna', why: 'the shop is closed' });
    await until(`the warrant of ${key}, or its end`, async () => {
      const provision = await wire.get<Provision>(PROVISIONS, key);
      return provision === undefined || provision.warrant !== undefined;
    });
    const provision = await wire.get<Provision>(PROVISIONS, key);
    if (provision !== undefined) {
      const { warrant, generation, provider } = provision;
      assert.deepEqual({ ...warrant, at: undefined }, { ask: id, answer: 'yes', by: 'anna', generation, at: undefined });
      if (provider?.module === 'timer')
        await wire.put('mesh-host_haves', 'novox.timer', { build: 'b1', state: 'healthy', at: new Date().toISOString() });
      else await wire.delete(`${provider?.module}_bound`, key);
    }
    await until(`the end of ${key}`, async () => (await wire.get(PROVISIONS, key)) === undefined);
    approved.push(key);
  }
  for (const key of approved) assert.equal((await asksOf(key)).length, 1, `one ask for ${key}`);
  assert.equal(await wire.get('mesh-provisioner_plans', 'ace.shop'), undefined);
  say(`${approved.length} keys of the shop: one ask each, Approve, the warrant, and gone as the provider let go`);
}

async function lets21Stay(): Promise<void> {
  const before = [...(await wire.all('mesh-router_asks')).keys()];
  const keys = routes(Object.keys(apps));
  const gone = Object.entries(apps).flatMap(([node, modules]) => modules.map((module) => takeAway(wire, node, module)));
  await Promise.all(gone);
  await until('every route braked', async () => (await statesOf(keys)).every((state) => state === 'held/braked'));
  const faults = [...(await wire.all<Json>('mesh-provisioner_faults')).values()].filter(({ kind }) => kind === 'brake');
  assert.deepEqual(faults.map(({ node }) => node).sort(), ['ace', 'novox']);
  for (const node of Object.keys(apps)) {
    const { passes } = await wire.ask<{ passes: Json[] }>('mesh-provisioner.compose', { node, by: 'anna', why: 'to see' });
    assert.deepEqual(
      passes.map(({ retires }) => retires),
      [[]],
    );
  }
  assert.deepEqual([...(await wire.all('mesh-router_asks')).keys()], before);
  say(`${keys.length} apps vanished at once: 0 asks, ${faults.length} brake faults: ${faults.map(({ says }) => says).join('; ')}`);
}

async function takesThemBack(): Promise<void> {
  for (const [node, modules] of Object.entries(apps)) for (const module of modules) await place(wire, node, module);
  await until('every route provided again', async () => (await statesOf(routes(Object.keys(apps)))).every((state) => state === 'provided'));
  await until('no fault', async () => (await wire.ask<{ healthy: boolean }>('mesh-provisioner.health', {})).healthy);
  say('they came back: every key is provided as before, healthy');
}

function routes(nodes: readonly string[]): string[] {
  return nodes.flatMap((node) => apps[node]!.map((module) => `${node}.${module}.route`));
}

async function statesOf(keys: readonly string[]): Promise<string[]> {
  const provisions = await Promise.all(keys.map((key) => wire.get<Provision>(PROVISIONS, key)));
  return provisions.map((one) => (one === undefined ? 'gone' : one.detail === undefined ? one.state : `${one.state}/${one.detail}`));
}

async function asksOf(subject: string): Promise<[id: string, ask: Ask][]> {
  return [...(await wire.all<Ask>('mesh-router_asks'))].filter(([, ask]) => ask.subject === subject);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
