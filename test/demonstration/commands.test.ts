import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NatsServer } from '../bus/nats-server.ts';
import { until } from '../bus/until.ts';
import { type Ended, ran } from '../cli/process.ts';
import { takeAway } from './mesh.ts';
import { serving } from './serving.ts';
import { Wire } from './wire.ts';

const WHY = ['--why', 'to see'];
let serve: Awaited<ReturnType<typeof serving>>;
let wire: Wire;

beforeAll(async () => {
  serve = await serving('--create-inputs', '--mesh', 'examples/two-nodes', '--play', '--dwell-ms', '300');
  wire = await Wire.to(serve.server.url);
  await until(() => serve.said.said.includes('gate open'), 'the gate');
  await until(
    async () => (await states()).size === 14 && [...(await states()).values()].every((state) => state === 'provided'),
    'all provided',
  );
});
afterAll(async () => {
  await wire.close();
  await serve.end();
});

describe('the command line over the verbs of a real bus', () => {
  test.each([['status'], ['health'], ['provisions', '--node', 'ace'], ['plans'], ['provisioning'], ['asks'], ['compose', ...WHY]])(
    '0: %s answers in words and in JSON',
    async (...argv) => {
      const [words, json] = await Promise.all([typed(...argv), typed(...argv, '--json')]);
      expect(words).toMatchObject({ code: 0, said: '' });
      expect(words.out.trim()).not.toBe('');
      expect(json).toMatchObject({ code: 0, said: '' });
      expect(JSON.parse(json.out)).toBeTypeOf('object');
    },
  );

  test('0: what is asked is answered by approve and by keep; 5: it is answered once', async () => {
    await takeAway(wire, 'ace', 'wiki');
    await until(async () => (await wire.all('mesh-router_asks')).size === 2, 'an ask for each key that nothing else depends on');
    const asked = await openAsks();
    expect([...asked.keys()].sort()).toEqual(['ace.wiki.database', 'ace.wiki.route']);
    const id = (key: string) => asked.get(key)!;

    expect(await typed('approve', id('ace.wiki.database'), '--by', 'anna')).toMatchObject({ code: 0, said: '' });
    await until(async () => !(await states()).has('ace.wiki.database'), 'the end of the database');
    await until(async () => (await openAsks()).has('ace.wiki.secret-database'), 'the ask of the secret that the database depended on');
    expect(await typed('keep', id('ace.wiki.route'), '--json')).toMatchObject({ code: 0, said: '' });
    await until(async () => (await states()).get('ace.wiki.route') === 'held', 'the kept route');
    expect(await wire.get('mesh-router_asks', id('ace.wiki.database'))).toMatchObject({ state: 'answered', answer: 'Approve', by: 'anna' });

    const again = await typed('approve', id('ace.wiki.database'));
    expect(again).toMatchObject({ code: 5, out: '' });
    expect(again.said).toContain(id('ace.wiki.database'));
  });

  test('2: an unknown flag; 4: no such ask, no such key; 5: a word where no brake stands', async () => {
    const ended = await Promise.all([
      typed('status', '--jsno'),
      typed('approve', 'nothing'),
      typed('reconsider', 'ace.shop.nothing', ...WHY),
      typed('compose', '--node', 'ace', '--retire-many', ...WHY),
    ]);
    expect(ended.map(({ code, out }) => [code, out])).toEqual([
      [2, ''],
      [4, ''],
      [4, ''],
      [5, ''],
    ]);
    expect(ended.map(({ said }) => said)).toEqual([
      expect.stringContaining('Did you mean --json?'),
      expect.stringContaining('nothing'),
      expect.stringContaining('ace.shop.nothing'),
      expect.stringContaining('brake'),
    ]);
  });

  test('3: no seat on that bus, and no bus', async () => {
    const server = await NatsServer.start();
    expect(await ran(['status', '--bus', server.url])).toMatchObject({
      code: 3,
      out: '',
      said: expect.stringContaining('no seat answers'),
    });
    await server.remove();
    expect(await ran(['status', '--bus', server.url])).toMatchObject({ code: 3, said: expect.stringContaining('no NATS server answers') });
  });

  test('6: the seat does not answer in time', async () => {
    serve.child.kill('SIGSTOP');
    const ended = await typed('health', '--timeout', '300');
    serve.child.kill('SIGCONT');
    expect(ended).toMatchObject({ code: 6, out: '', said: expect.stringContaining('300 ms') });
    expect(await typed('health')).toMatchObject({ code: 0 });
  });
});

function typed(...argv: string[]): Promise<Ended> {
  return ran([...argv, '--bus', serve.server.url]);
}

async function openAsks(): Promise<Map<string, string>> {
  const { open } = JSON.parse((await typed('asks', '--json')).out) as { open: { id: string; subject: string }[] };
  return new Map(open.map(({ id, subject }) => [subject, id]));
}

async function states(): Promise<Map<string, string>> {
  const provisions = await wire.all<{ state: string }>('mesh-provisioner_provisions');
  return new Map([...provisions].map(([key, { state }]) => [key, state]));
}
