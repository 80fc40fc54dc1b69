import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { EmbeddedBus } from '../../src/bus/embedded/embedded-bus.ts';
import type { Bus } from '../../src/bus/port.ts';
import { httpClient } from '../../src/cli/http-client.ts';
import { entriesOf } from '../../src/mesh/entries.ts';
import { readMesh } from '../../src/mesh/folder.ts';
import { type RunningSeat, serve } from '../../src/serve.ts';
import { readServeFile } from '../../src/serve-file.ts';
import { resolveSettings } from '../../src/settings.ts';
import { systemClock } from '../../src/system-clock.ts';
import { temporaryFolder } from '../temporary.ts';
import { full, standIn } from './stand-in.ts';

const root = temporaryFolder();
const TWO_NODES = 'examples/two-nodes';

test('serve says where it listens, publishes the mesh, plays it, and is reached by the address it leaves', async () => {
  const serving = served({ mesh: TWO_NODES, play: true });
  const bus = await serving.running;
  await vi.waitFor(
    async () => expect(await bus.get('mesh-host_haves', 'ace.shop')).toMatchObject({ text: expect.stringContaining('healthy') }),
    10_000,
  );
  const file = await readServeFile(serving.state);
  expect(serving.out).toEqual([file?.url]);
  const client = httpClient(file!, 5_000);
  expect(await client.call('mesh-provisioner.health', {})).toEqual(full['mesh-provisioner.health']);
  await serving.stop();
  expect(serving.said.at(-1)).toBe('stopping');
  expect(existsSync(join(serving.state, 'serve.json'))).toBe(false);
  await expect(client.call('mesh-provisioner.health', {})).rejects.toMatchObject({ kind: 'no-seat' });
});

test('a folder is published through a running serve, and the second time there is nothing to do', async () => {
  const serving = served({});
  const bus = await serving.running;
  const client = httpClient((await readServeFile(serving.state))!, 5_000);
  const mesh = readMesh(TWO_NODES);
  const { changes, perform } = await client.publish(mesh.name, entriesOf(mesh));
  expect(changes).toHaveLength(entriesOf(mesh).length);
  expect(await bus.get('mesh-controller_wants', 'ace.shop')).toBeUndefined();
  await perform();
  expect((await bus.get('mesh-controller_wants', 'ace.shop'))?.text).toBe('{"build":"b7"}');
  expect((await client.publish(mesh.name, entriesOf(mesh))).changes).toEqual([]);
  await serving.stop();
});

test('a seat that cannot start ends serve, with the bus closed behind it', async () => {
  const serving = served({}, new Error('no seat today'));
  await expect(serving.stop()).rejects.toThrow('no seat today');
  await (await EmbeddedBus.open(serving.state)).close();
});

test('--play without a mesh is a usage error', async () => {
  await expect(served({ play: true }).stop()).rejects.toMatchObject({
    kind: 'usage',
    message: '--play: expected --mesh DIR, the mesh to play',
  });
});

test('a state folder that another process has is refused', async () => {
  const serving = served({});
  await serving.running;
  await expect(served({ state: serving.state }).stop()).rejects.toMatchObject({
    kind: 'failed',
    message: expect.stringContaining('is in use by another process'),
  });
  await serving.stop();
});

function served(flags: Readonly<Record<string, string | boolean>>, failure?: Error) {
  const state = join(root, randomUUID());
  const settings = resolveSettings({ environment: {}, flags: { state, http: '127.0.0.1:0', ...flags } });
  const out: string[] = [];
  const said: string[] = [];
  let tell = (_: Bus) => {};
  let stop = () => {};
  const running = new Promise<Bus>((done) => {
    tell = done;
  });
  const stopped = new Promise<void>((done) => {
    stop = done;
  });
  const seat: RunningSeat = {
    call: standIn(full).call,
    health: () => full['mesh-provisioner.health'] as ReturnType<RunningSeat['health']>,
    ready: () => true,
    probe: () => ({ lives: true, leaseLeftMs: 8_000, reads: [] }),
    onProgress: () => {},
    watch: () => {},
    stop: async () => {},
  };
  const ended = serve({
    settings,
    instance: 'test',
    pid: process.pid,
    clock: systemClock,
    log: pino({ level: 'silent' }),
    json: false,
    openBus: () => EmbeddedBus.open(settings.state),
    openOperator: undefined,
    page: join(root, 'no-page'),
    runSeat: async ({ bus }) => {
      if (failure !== undefined) throw failure;
      await bus.createBucket('mesh-provisioner_provisions', { history: 1 });
      tell(bus);
      return seat;
    },
    newId: randomUUID,
    out: (text) => out.push(text),
    say: (line) => said.push(line),
    stopped,
  });
  ended.catch(() => {});
  return {
    state,
    out,
    said,
    running,
    stop: () => {
      stop();
      return ended;
    },
  };
}
