import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { Composition } from '../../src/bus/contracts/compositions.ts';
import { Provision } from '../../src/bus/contracts/provisions.ts';
import { EmbeddedBus } from '../../src/bus/embedded/embedded-bus.ts';
import type { Bus } from '../../src/bus/port.ts';
import { compare } from '../../src/mesh/apply.ts';
import { entriesOf, type MeshEntry } from '../../src/mesh/entries.ts';
import { readMesh } from '../../src/mesh/folder.ts';
import { createInputs } from '../../src/mesh/inputs.ts';
import { play } from '../../src/play/play.ts';
import { runSeat } from '../../src/seat/run.ts';
import { resolveSettings } from '../../src/settings.ts';
import { systemClock } from '../../src/system-clock.ts';
import { busInPieces } from './bus-in-pieces.ts';
import { oldRuleAsks } from './old-rule.ts';

const PROVISIONS = 'mesh-provisioner_provisions';
const COMPOSITIONS = 'mesh-indexer_compositions';
const MODULES = 'mesh-indexer_modules';
const PARTIAL_MS = 3_000;

/** No dwell: nothing but the gate stands between a picture and its asks. */
const settings = resolveSettings({ environment: {}, flags: { dwellMs: '0', leaseMs: '1000' } });

const folder = await mkdtemp(join(tmpdir(), 'incident-'));
const bus = await EmbeddedBus.open(folder);
try {
  await incident();
} finally {
  await bus.close();
  await rm(folder, { recursive: true });
}

async function incident(): Promise<void> {
  const mesh = readMesh(import.meta.dirname);
  const apps = new Set(Object.keys(mesh.modules).filter((module) => isWebApp(mesh.modules[module]!)));
  const isLate = (bucket: string, key: string) => (bucket === MODULES || bucket === COMPOSITIONS) && apps.has(key.split('.')[0]!);
  await publish(
    mesh.name,
    entriesOf(mesh).sort((a, b) => Number(isLate(a.bucket, a.key)) - Number(isLate(b.bucket, b.key))),
  );
  const stopPlay = play({ bus, clock: systemClock, newId: randomUUID, say: () => {} }, Object.keys(mesh.nodes));

  say(`The mesh runs: ${apps.size} web apps and ${Object.keys(mesh.modules).length - apps.size} other modules.`);
  const before = await seatOn(bus);
  await until(async () => (await provided()).length === apps.size);
  const standing = await provided();
  await before.stop();
  say(`The seat has had all ${standing.length} route keys provided, and stops. It starts again as a new member of the bus.`);

  const { bus: inPieces, brought, release } = busInPieces(bus, isLate);
  const seat = await seatOn(inPieces);
  await pause(PARTIAL_MS);
  const read = [...brought].filter(([address]) => address.startsWith(`${COMPOSITIONS} `));
  const compositions = new Map(read.map(([, entry]) => [entry.key, Composition.parse(JSON.parse(entry.text!))]));
  const modulesRead = [...brought.keys()].filter((address) => address.startsWith(`${MODULES} `)).length;
  const oldAsks = oldRuleAsks(standing, compositions);
  say(`For ${PARTIAL_MS / 1_000} s its watches have brought ${modulesRead} of ${Object.keys(mesh.modules).length} modules.`);
  for (const { read: missing, why } of seat.health().gate.missing) say(`  gate shut: ${missing}: ${why}`);
  const askedMeanwhile = await asks();

  release();
  await until(async () => seat.ready());
  await pause(PARTIAL_MS);
  say(`The rest arrives, and the gate opens. ${(await provided()).length} of ${standing.length} route keys are provided.`);
  say('');
  say(`The old rule would have asked  ${oldAsks.length} (${perNode(oldAsks)})`);
  say(`The seat asked                 ${Math.max(askedMeanwhile, await asks())}`);
  await seat.stop();
  stopPlay();
}

function seatOn(on: Bus) {
  const log = pino({ level: 'silent' });
  return runSeat({ bus: on, settings, instance: randomUUID(), clock: systemClock, log, router: 'builtin' });
}

async function publish(name: string, entries: readonly MeshEntry[]): Promise<void> {
  await createInputs(bus);
  const { perform } = await compare(bus, name, entries, randomUUID);
  await perform(new Date().toISOString());
}

async function provided(): Promise<string[]> {
  if ((await bus.identity(PROVISIONS)) === undefined) return [];
  const keys = [...(await bus.subjects(PROVISIONS))].sort();
  const entries = await Promise.all(keys.map((key) => bus.get(PROVISIONS, key)));
  return entries
    .filter((entry) => entry?.text !== undefined && Provision.parse(JSON.parse(entry.text)).state === 'provided')
    .map((entry) => entry!.key);
}

async function asks(): Promise<number> {
  return (await bus.identity('mesh-router_asks')) === undefined ? 0 : (await bus.subjects('mesh-router_asks')).size;
}

function perNode(keys: readonly string[]): string {
  const nodes = new Map<string, number>();
  for (const key of keys) nodes.set(key.split('.')[0]!, (nodes.get(key.split('.')[0]!) ?? 0) + 1);
  return [...nodes].map(([node, number]) => `${number} on ${node}`).join(', ');
}

function isWebApp({ builds }: { builds: Record<string, { needs: { provision: string }[] } | null> }): boolean {
  return Object.values(builds).some((build) => build?.needs.some((need) => need.provision === 'route'));
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(50);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
