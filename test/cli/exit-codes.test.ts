import { randomUUID } from 'node:crypto';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Hono } from 'hono';
import { afterAll, describe, expect, test } from 'vitest';
import type { ServiceReply } from '../../src/bus/port.ts';
import { httpApp } from '../../src/http/app.ts';
import { listen } from '../../src/http/listen.ts';
import { writeServeFile } from '../../src/serve-file.ts';
import { inspectedNothing } from '../http/inspected.ts';
import { temporaryFolder } from '../temporary.ts';
import { ran } from './process.ts';
import { full, standIn } from './stand-in.ts';

const metrics = { scrape: async () => ({ text: '', type: 'text/plain' }) };
const root = temporaryFolder();
const ends: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
});

describe('each exit code, of a real process', { timeout: 30_000 }, () => {
  test('0: answered, JSON on stdout and nothing else', async () => {
    const { code, out, said } = await ran(['provisions', '--json', '--state', await seat()]);
    expect([code, said]).toEqual([0, '']);
    expect(JSON.parse(out)).toEqual(full['mesh-provisioner.provisions']);
  });

  test('1: a mistake in a mesh folder, with its file and line', async () => {
    const folder = fresh();
    writeFileSync(join(folder, 'mesh.yaml'), 'mesh: small\nnodes: 3\n');
    const { code, out, said } = await ran(['apply', folder, '--state', await seat()]);
    expect([code, out]).toEqual([1, '']);
    expect(said).toContain(`${join(folder, 'mesh.yaml')}:2:8: nodes: found 3, expected record`);
  });

  test('1: serve where its port is in use', async () => {
    const { url } = await listening(new Hono());
    const { code, said } = await ran(['serve', '--state', fresh(), '--http', new URL(url).host]);
    expect(code).toBe(1);
    expect(said).toMatch(/error: port \d+ on 127\.0\.0\.1 is in use by another process/);
  });

  test('1: serve where the bus is not there', async () => {
    const { code, said } = await ran(['serve', '--bus', await nobody('nats')]);
    expect(code).toBe(1);
    expect(said).toMatch(/error: no NATS server answers at nats:\/\/127\.0\.0\.1:\d+/);
  });

  test('2: an unknown flag, a bad value, a host that is not loopback', async () => {
    expect(await ran(['status', '--jsno'])).toMatchObject({ code: 2, out: '' });
    expect(await ran(['status'], { MESH_PROVISIONER_DWELL_MS: 'soon' })).toMatchObject({
      code: 2,
      said: 'error: MESH_PROVISIONER_DWELL_MS: found "soon", expected a whole number of milliseconds, 0 or more\n',
    });
    const stranger = await ran(['serve', '--state', fresh(), '--http', '0.0.0.0:0']);
    expect(stranger).toMatchObject({ code: 2, out: '' });
    expect(stranger.said).toContain('0.0.0.0 is not loopback');
  });

  test('3: no seat was ever started there, it is gone, another one answers there, or its bus is not there', async () => {
    const state = fresh();
    expect(await ran(['status', '--state', state])).toMatchObject({ code: 3, out: '' });
    await writeServeFile(state, { url: await nobody('http'), token: 't', pid: 1 });
    expect(await ran(['status', '--state', state])).toMatchObject({ code: 3, out: '' });
    const { url } = await listening(new Hono().post('*', (context) => context.json({}, 401)));
    await writeServeFile(state, { url, token: 't', pid: 1 });
    expect(await ran(['status', '--state', state])).toMatchObject({ code: 3, out: '' });
    expect(await ran(['status', '--bus', await nobody('nats')])).toMatchObject({ code: 3, out: '' });
  });

  test('4: no such ask', async () => {
    const state = await seat({ ok: false, code: 404, says: 'no such ask: x' });
    expect(await ran(['approve', 'x', '--state', state])).toEqual({ code: 4, out: '', said: 'error: no such ask: x\n' });
  });

  test('5: refused', async () => {
    const state = await seat({ ok: false, code: 423, says: 'the gate is shut' });
    expect(await ran(['compose', '--why', 'x', '--state', state])).toEqual({ code: 5, out: '', said: 'error: the gate is shut\n' });
  });

  test('6: no answer in time', async () => {
    const { url } = await listening(new Hono().post('*', () => new Promise(() => {})));
    const state = fresh();
    await writeServeFile(state, { url, token: 't', pid: 1 });
    expect(await ran(['status', '--timeout', '50', '--state', state])).toMatchObject({ code: 6, out: '' });
  });
});

test('the address and token of a running serve are for its owner alone', async () => {
  const state = fresh();
  writeFileSync(join(state, 'serve.json'), '{}', { mode: 0o644 });
  await writeServeFile(state, { url: 'http://127.0.0.1:1', token: 't', pid: 1 });
  expect(statSync(join(state, 'serve.json')).mode & 0o777).toBe(0o600);
});

/** A state folder whose seat stands in, giving full answers or one refusal. */
async function seat(refusal?: ServiceReply): Promise<string> {
  const { call } = standIn(full);
  const behind = {
    call: async (...given: Parameters<typeof call>) => refusal ?? call(...given),
    health: () => full['mesh-provisioner.health'] as never,
    ready: () => true,
    probe: () => ({ lives: true, leaseLeftMs: 8_000, reads: [] }),
  };
  const { url } = await listening(
    httpApp({
      seat: () => behind,
      act: behind.call,
      apply: async () => ({ ok: true, text: '{"changes":[]}' }),
      metrics,
      token: 't',
      anywhere: false,
      inspected: inspectedNothing(),
    }),
  );
  const state = fresh();
  await writeServeFile(state, { url, token: 't', pid: process.pid });
  return state;
}

async function listening(app: Hono) {
  const server = await listen(app, '127.0.0.1', 0);
  ends.push(server.close);
  return server;
}

/** An address where nobody listens. */
async function nobody(scheme: string): Promise<string> {
  const { url, close } = await listen(new Hono(), '127.0.0.1', 0);
  await close();
  return url.replace('http', scheme);
}

function fresh(): string {
  const folder = join(root, randomUUID());
  mkdirSync(folder);
  return folder;
}
