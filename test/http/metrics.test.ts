import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EmbeddedBus } from '../../src/bus/embedded/embedded-bus.ts';
import { httpApp } from '../../src/http/app.ts';
import { Metrics } from '../../src/http/metrics.ts';
import { compare } from '../../src/mesh/apply.ts';
import { entriesOf } from '../../src/mesh/entries.ts';
import { type Mesh, readMesh } from '../../src/mesh/folder.ts';
import { createInputs } from '../../src/mesh/inputs.ts';
import { play } from '../../src/play/play.ts';
import { runSeat, type Seat } from '../../src/seat/run.ts';
import { resolveSettings } from '../../src/settings.ts';
import { systemClock as clock } from '../../src/system-clock.ts';
import { until } from '../bus/until.ts';
import { temporaryFolder } from '../temporary.ts';
import { inspectedNothing } from './inspected.ts';
import { seriesOf } from './series.ts';

const root = temporaryFolder();

test('every series is there before the seat is, at 0, and each has a help and a type', async () => {
  const { text, type } = await new Metrics(() => undefined, clock.now).scrape();
  expect(type).toContain('text/plain; version=0.0.4');
  const own = [...seriesOf(text)].filter(([series]) => series.startsWith('mesh_provisioner_'));
  for (const [series, value] of own) expect([series, value]).toEqual([series, series === 'mesh_provisioner_bus_connected' ? 1 : 0]);
  for (const series of [
    'mesh_provisioner_gate_open',
    'mesh_provisioner_reads_missing{read="haves"}',
    'mesh_provisioner_reads_missing{read="bound"}',
    'mesh_provisioner_keys{state="retiring"}',
    'mesh_provisioner_asks{state="waiting"}',
    'mesh_provisioner_asks_oldest_age_seconds{state="open"}',
    'mesh_provisioner_faults{kind="mesh-brake"}',
    'mesh_provisioner_journal_sequence',
    'mesh_provisioner_turns_total',
    'mesh_provisioner_effects_total{kind="raise",outcome="refused"}',
    'mesh_provisioner_seat_held',
    'mesh_provisioner_lease_left_seconds',
  ])
    expect(new Map(own).has(series), series).toBe(true);
  const names = new Set(own.map(([series]) => series.replace(/\{.*/, '')));
  for (const name of names) {
    expect(text).toContain(`# HELP ${name} `);
    expect(text).toContain(`# TYPE ${name} ${name.endsWith('_total') ? 'counter' : 'gauge'}`);
  }
});

describe('of a seat that runs', () => {
  let bus: EmbeddedBus;
  let seat: Seat;
  let mesh: Mesh;
  let metrics: Metrics;
  let stopPlaying: () => Promise<void> | void;
  const value = async (series: string) => seriesOf((await metrics.scrape()).text).get(`mesh_provisioner_${series}`);

  beforeAll(async () => {
    bus = await EmbeddedBus.open(root);
    mesh = readMesh('examples/two-nodes');
    await createInputs(bus);
    await (await compare(bus, mesh.name, entriesOf(mesh), randomUUID)).perform(new Date().toISOString());
    const settings = resolveSettings({ environment: {}, flags: { dwellMs: '50' } });
    metrics = new Metrics(() => seat, clock.now);
    seat = await runSeat({ bus, settings, instance: 'one', clock, log: pino({ level: 'silent' }), router: 'builtin' });
    seat.watch(metrics);
    stopPlaying = play({ bus, clock, newId: randomUUID, say: () => {} }, Object.keys(mesh.nodes));
    await until(async () => {
      const states = await Promise.all(['judging', 'loading', 'held'].map((state) => value(`keys{state="${state}"}`)));
      return ((await value('keys{state="provided"}')) ?? 0) > 0 && states.every((count) => count === 0);
    }, 'the keys');
  });
  afterAll(async () => {
    await seat.stop();
    await bus.close();
  });

  test('they say how it stands', async () => {
    expect(await value('keys{state="provided"}')).toBe((await bus.subjects('mesh-provisioner_provisions')).size);
    for (const series of ['gate_open', 'ready', 'seat_held', 'seat_taken_total', 'seat_epoch', 'bus_connected'])
      expect(await value(series)).toBe(1);
    expect(await value('nodes')).toBe(Object.keys(mesh.nodes).length);
    expect(await value('reads_missing{read="wants"}')).toBe(0);
    expect(await value('lease_left_seconds')).toBeGreaterThan(0);
    expect(await value('turns_total')).toBeGreaterThan(0);
    expect(await value('effects_total{kind="put",outcome="done"}')).toBeGreaterThanOrEqual((await value('keys{state="provided"}'))!);
    expect(await value('journal_sequence')).toBe((await bus.streamState('LOG_mesh-provisioner_journal'))?.lastSequence);
    metrics.connected(false);
    expect(await value('bus_connected')).toBe(0);
    metrics.connected(true);
  });

  test('they count asks with their age, and the keys they are of', async () => {
    const write = { id: randomUUID(), epoch: 0 };
    for (const bucket of ['mesh-placement_modules', 'mesh-controller_wants', 'mesh-host_haves'])
      await bus.delete(bucket, 'ace.shop', { ...write, id: randomUUID() });
    await until(async () => (await value('asks{state="open"}')) !== 0, 'an ask');
    await until(async () => (await value('keys{state="retiring"}')) !== 0, 'the entry that says so');
    const later = new Metrics(
      () => seat,
      () => clock.now() + 60_000,
    );
    seat.watch(later);
    const age = seriesOf((await later.scrape()).text).get('mesh_provisioner_asks_oldest_age_seconds{state="open"}');
    expect(age).toBeGreaterThanOrEqual(60);
    await until(async () => (await value('effects_total{kind="raise",outcome="done"}')) !== 0, 'the end of the raise');
  });

  test('they say a read that is lost, and its fault', async () => {
    await stopPlaying();
    await bus.destroyBucket('mesh-host_haves');
    await bus.destroyBucket('postgres_bound');
    await until(async () => (await value('reads_missing{read="haves"}')) === 1, 'the loss');
    await until(async () => (await value('reads_missing{read="bound"}')) === 1, 'the other loss');
    expect([await value('gate_open'), await value('ready'), await value('seat_held')]).toEqual([0, 0, 1]);
  });

  test('no label holds a node, a module or a key, and the series are those of the start', async () => {
    const { text } = await metrics.scrape();
    const names = [...Object.entries(mesh.nodes).flatMap(([node, { modules }]) => [node, ...Object.keys(modules)])];
    expect(names.length).toBeGreaterThan(4);
    for (const name of names) expect(text).not.toMatch(new RegExp(`"[^"]*\\b${name}\\b[^"]*"`));
    const own = (from: string) => [...seriesOf(from).keys()].filter((series) => series.startsWith('mesh_provisioner_'));
    expect(own(text)).toEqual(own((await new Metrics(() => undefined, clock.now).scrape()).text));
  });

  test('they are served', async () => {
    const app = httpApp({
      seat: () => seat,
      act: seat.call,
      apply: async () => ({ ok: true, text: '{}' }),
      metrics,
      token: 't',
      anywhere: false,
      inspected: inspectedNothing(),
    });
    const reply = await app.request('/metrics', { headers: { host: '127.0.0.1' } });
    expect(reply.headers.get('content-type')).toContain('text/plain');
    expect(seriesOf(await reply.text()).get('mesh_provisioner_seat_held')).toBe(1);
  });

  test('a seat that is given back is counted, and nothing of the mesh is said any more', async () => {
    await seat.stop();
    expect([await value('seat_lost_total'), await value('seat_held'), await value('keys{state="provided"}')]).toEqual([1, 0, 0]);
  });
});
