import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { type Probed, probes } from '../../src/http/probes.ts';
import type { Probe } from '../../src/seat/run.ts';

const SINCE = '2026-11-02T22:55:58.000Z';
const held: Probe = { lives: true, leaseLeftMs: 7_000, reads: [] };
const ok = (read: Probe['reads'][number]['read'], isOfGate: boolean) => ({ read, isOfGate });
const whole = [ok('placement', true), ok('wants', true), ok('asks', false), ok('bound.adapter', false)];

async function asked(path: string, seat: Probed | undefined) {
  const app = new Hono();
  probes(app, () => seat);
  const reply = await app.request(path);
  return [reply.status, await reply.text()];
}
const seat = (probe: Probe, isReady: boolean): Probed => ({ probe: () => probe, ready: () => isReady });

describe('/livez', () => {
  test('is ok as soon as the process answers', async () => {
    expect(await asked('/livez', undefined)).toEqual([200, 'ok\n']);
    expect(await asked('/livez?verbose', seat(held, false))).toEqual([200, '[+]process ok\nlivez check passed\n']);
  });

  test('fails where only another start helps', async () => {
    expect(await asked('/livez', seat({ ...held, lives: false }, false))).toEqual([
      503,
      '[-]process failed: the seat cannot go on, its log says why: start it anew\nlivez check failed\n',
    ]);
  });
});

describe('/readyz', () => {
  test('says one line a read, and ok alone where all is well', async () => {
    const ready = seat({ ...held, reads: whole }, true);
    expect(await asked('/readyz', ready)).toEqual([200, 'ok\n']);
    expect(await asked('/readyz?verbose', ready)).toEqual([
      200,
      '[+]seat ok\n[+]gate ok\n[+]placement ok\n[+]wants ok\n[+]asks ok\n[+]bound.adapter ok\nreadyz check passed\n',
    ]);
  });

  test('says what is missing, why and since when', async () => {
    const reads = [
      ...whole.slice(0, 1),
      { ...ok('wants', true), missing: { why: 'bucket mesh-controller_wants is not there', since: SINCE } },
    ];
    expect(await asked('/readyz', seat({ ...held, reads }, false))).toEqual([
      503,
      `[+]seat ok\n[-]gate failed: it is shut\n[+]placement ok\n[-]wants failed: bucket mesh-controller_wants is not there, since ${SINCE}\nreadyz check failed\n`,
    ]);
  });

  test('does not wait for what holds back only what depends on it', async () => {
    const reads = [...whole.slice(0, 3), { ...ok('bound.adapter', false), missing: { why: 'it is not loaded' } }];
    expect(await asked('/readyz?verbose', seat({ ...held, reads }, true))).toEqual([
      200,
      '[+]seat ok\n[+]gate ok\n[+]placement ok\n[+]wants ok\n[+]asks ok\n' +
        '[-]bound.adapter missing: it is not loaded; it holds back only what depends on it\nreadyz check passed\n',
    ]);
  });

  test('fails while the seat starts, and while another instance holds it', async () => {
    expect(await asked('/readyz', undefined)).toEqual([503, '[-]seat failed: it is starting\nreadyz check failed\n']);
    expect(await asked('/readyz', seat({ ...held, notHeld: 'this one stands by' }, false))).toEqual([
      503,
      '[-]seat failed: this one stands by\n[-]gate failed: it is shut\nreadyz check failed\n',
    ]);
  });
});
