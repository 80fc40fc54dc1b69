import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Health } from '../../src/bus/contracts/verbs.ts';
import type { ServiceReply } from '../../src/bus/port.ts';
import { httpApp, type SeatBehind, STARTING } from '../../src/http/app.ts';
import { temporaryFolder } from '../temporary.ts';
import { inspectedNothing } from './inspected.ts';

const metrics = { scrape: async () => ({ text: '', type: 'text/plain' }) };
const TOKEN = 'the-token';
const HOST = '127.0.0.1:7373';
const bearer = { authorization: `Bearer ${TOKEN}` };
const health: Health = {
  healthy: false,
  gate: { open: false, missing: [{ read: 'wants', since: '2026-11-02T22:55:58.000Z', why: 'no such bucket' }] },
  faults: [
    { kind: 'hold', says: '<shop> is held', cause: 'b2 is not published', clears: 'it is published', since: '2026-11-02T22:55:58.000Z' },
  ],
  asks: { open: 0, waiting: 0 },
  seat: { instance: 'ace-1', epoch: 3 },
};

describe('words that act', () => {
  test('need the token', async () => {
    const { ask, calls } = served();
    for (const authorization of [undefined, 'Bearer wrong', `Basic ${TOKEN}`, '']) {
      const reply = await ask('/api/compose', {
        method: 'POST',
        headers: authorization === undefined ? {} : { authorization },
        body: '{}',
      });
      expect(reply.status).toBe(401);
    }
    expect(calls).toEqual([]);
    expect((await ask('/api/compose', { method: 'POST', headers: bearer, body: '{"by":"ada","why":"x"}' })).status).toBe(200);
    expect(calls).toEqual([['mesh-provisioner.compose', { by: 'ada', why: 'x' }]]);
  });

  test.each([
    ['another origin', { origin: 'http://evil.example' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:9999' }],
    ['no origin at all', { origin: 'null' }],
    ['a cross-site fetch', { 'sec-fetch-site': 'cross-site' }],
    ['a same-site fetch', { 'sec-fetch-site': 'same-site' }],
  ])('are refused from %s, token or not', async (_, headers) => {
    const { ask, calls } = served();
    const reply = await ask('/api/mesh-router.answer', { method: 'POST', headers: { ...bearer, ...headers }, body: '{}' });
    expect(reply.status).toBe(403);
    expect(calls).toEqual([]);
  });

  test('go through from the page itself', async () => {
    const headers = { ...bearer, origin: `http://${HOST}`, 'sec-fetch-site': 'same-origin' };
    expect((await served().ask('/api/accept', { method: 'POST', headers, body: '{}' })).status).toBe(200);
  });

  test('are not asked by GET', async () => {
    expect((await served().ask('/api/compose', { headers: bearer })).status).toBe(405);
  });

  test('publishing a folder needs the token too', async () => {
    expect((await served().ask('/api/apply', { method: 'POST', body: '{}' })).status).toBe(401);
    expect(await (await served().ask('/api/apply', { method: 'POST', headers: bearer, body: '{}' })).json()).toEqual({ changes: [] });
  });
});

describe('reads', () => {
  test('need no token, by GET or POST, by short name or whole subject', async () => {
    const { ask, calls } = served();
    await ask('/api/provisions?node=ace');
    await ask('/api/provisions', { method: 'POST', body: '{"node":"ace"}' });
    await ask('/api/mesh-router.asks');
    expect(calls).toEqual([
      ['mesh-provisioner.provisions', { node: 'ace' }],
      ['mesh-provisioner.provisions', { node: 'ace' }],
      ['mesh-router.asks', {}],
    ]);
  });

  test.each([400, 403, 404, 409, 423, 429, 503])('give a refusal with its code %i', async (code) => {
    const reply = await served({ ok: false, code, says: 'no' }).ask('/api/health');
    expect([reply.status, await reply.json()]).toEqual([code, { code, says: 'no' }]);
  });
});

test('a page that was pointed here by another name is refused', async () => {
  expect((await served().ask('/api/picture', { headers: { host: 'evil.example' } })).status).toBe(403);
  expect((await served().ask('/api/picture', { headers: { host: 'localhost:7373' } })).status).toBe(200);
});

test('a verb nobody knows is 404, a request that is not JSON is 400', async () => {
  const { ask } = served();
  expect((await ask('/api/constructor')).status).toBe(404);
  expect((await ask('/api/health', { method: 'POST', body: '{' })).status).toBe(400);
  expect((await ask('/nowhere')).status).toBe(404);
});

test('while the seat starts, verbs say so', async () => {
  const app = httpApp({
    seat: () => undefined,
    act: async () => STARTING,
    apply: async () => ({ ok: true, text: '{}' }),
    metrics,
    token: TOKEN,
    anywhere: false,
    inspected: inspectedNothing(),
  });
  const reply = await app.request('/api/health', { headers: { host: HOST } });
  expect([reply.status, await reply.json()]).toEqual([503, { code: 503, says: 'the seat is starting' }]);
  expect((await app.request('/readyz', { headers: { host: HOST } })).status).toBe(503);
});

test('a page that is not built says how to build it', async () => {
  const reply = await served().ask('/');
  expect([reply.status, await reply.text()]).toEqual([503, expect.stringContaining('npm run build:page')]);
});

test('the page is one for every view, may load nothing from elsewhere, and gives out its own files alone', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<p>the page</p>');
  writeFileSync(join(folder, 'assets/page-1a.js'), 'let page');
  writeFileSync(join(folder, 'secret.js'), 'let secret');
  const { ask } = served(undefined, folder);
  for (const view of ['/', '/nodes/ace', '/keys/ace.shop.route', '/asks', '/asks/ace.shop.route.g1', '/log']) {
    const reply = await ask(view);
    expect([reply.status, await reply.text()]).toEqual([200, '<p>the page</p>']);
    expect(reply.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
  }
  expect(await (await ask('/assets/page-1a.js')).text()).toBe('let page');
  for (const elsewhere of ['/assets/..%2Fsecret.js', '/assets/%2e%2e/secret.js', '/assets/nothing.js']) {
    expect((await ask(elsewhere)).status).toBe(404);
  }
});

function served(reply: ServiceReply = { ok: true, text: '{}' }, folder?: string) {
  const calls: unknown[] = [];
  const seat: SeatBehind = {
    call: async (verb, request) => {
      calls.push([verb, request]);
      return reply;
    },
    health: () => health,
    ready: () => false,
    probe: () => ({ lives: true, leaseLeftMs: 0, reads: [] }),
  };
  const app = httpApp({
    seat: () => seat,
    act: seat.call,
    apply: async () => ({ ok: true, text: '{"changes":[]}' }),
    metrics,
    token: TOKEN,
    anywhere: false,
    inspected: inspectedNothing(folder),
  });
  const ask = async (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
    app.request(path, { ...init, headers: { host: HOST, ...init.headers } });
  return { ask, calls, seat };
}
