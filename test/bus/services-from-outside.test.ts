import { connect, createInbox, headers, type Msg, type NatsConnection, type RequestManyOptions, RequestStrategy } from 'nats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verbs } from '../../src/bus/contracts/verbs.ts';
import { connect as connectBus } from '../../src/bus/nats/connect.ts';
import type { Bus, Endpoint } from '../../src/bus/port.ts';
import { Refusal, type VerbHandlers, verbServices } from '../../src/bus/verb-services.ts';
import { natsBus } from './buses.ts';
import { NatsServer } from './nats-server.ts';
import { until } from './until.ts';

const handlers = Object.fromEntries(
  Object.keys(verbs).map((verb) => [verb, async () => new Refusal(404, `${verb} is not stood in for`)]),
) as unknown as VerbHandlers;
const health = {
  healthy: true,
  gate: { open: true, missing: [] },
  faults: [],
  asks: { open: 0, waiting: 0 },
  seat: { instance: 'a', epoch: 1 },
};
const OFTEN: Partial<RequestManyOptions> = { strategy: RequestStrategy.Timer, maxWait: 300 };

/** What `nats micro` and `nats req` send and read: plain messages, nothing of this project's. */
describe('from outside', () => {
  let server: NatsServer;
  let bus: Bus;
  let end: () => Promise<void>;
  let client: NatsConnection;

  beforeAll(async () => {
    ({ server, bus, end } = await natsBus());
    client = await connect({ servers: server.url });
    const served: VerbHandlers = {
      ...handlers,
      'mesh-provisioner.health': async () => health,
      'mesh-provisioner.asks': () => Promise.reject(new Error('a defect')),
      'mesh-provisioner.plans': () => {
        throw new Error('a defect before the first await');
      },
    };
    for (const service of verbServices(served, '1.2.3', () => {})) await bus.serve(service);
  });
  afterAll(async () => {
    await client.close();
    await end();
  });

  async function all(subject: string): Promise<Msg[]> {
    const replies: Msg[] = [];
    for await (const message of await client.requestMany(subject, '', OFTEN)) replies.push(message);
    return replies;
  }
  const json = async <T = Record<string, unknown>>(subject: string) => (await all(subject)).map((message) => message.json<T>());
  const named = <T extends { name: string }>(list: T[]) => list.map(({ name }) => name).sort();

  test('nats micro ls: every service answers $SRV.PING, by its name and id too', async () => {
    const pings = await json<{ name: string; id: string; type: string; version: string }>('$SRV.PING');
    expect(named(pings)).toEqual(['mesh-provisioner', 'mesh-router']);
    for (const { name, id, type, version } of pings) {
      expect({ type, version }).toEqual({ type: 'io.nats.micro.v1.ping_response', version: '1.2.3' });
      expect(await json(`$SRV.PING.${name}`)).toMatchObject([{ name, id }]);
      expect(await json(`$SRV.PING.${name}.${id}`)).toMatchObject([{ name, id }]);
    }
    await expect(client.request('$SRV.PING.mesh-provisioner.nobody', '', { timeout: 1_000 })).rejects.toMatchObject({ code: '503' });
  });

  test('nats micro info: $SRV.INFO lists the endpoints, each with its subject and the schemas of both ways', async () => {
    const [info] = await json<{
      type: string;
      description: string;
      endpoints: { name: string; subject: string; queue_group: string; metadata: { request: string; answer: string } }[];
    }>('$SRV.INFO.mesh-provisioner');
    expect(info).toMatchObject({ type: 'io.nats.micro.v1.info_response', description: expect.stringContaining('provision') });
    expect(info!.endpoints.map(({ name, subject }) => `${name} ${subject}`)).toEqual([
      'provisioning mesh-provisioner.provisioning',
      'plans mesh-provisioner.plans',
      'provisions mesh-provisioner.provisions',
      'provisioner_health mesh-provisioner.health',
      'explain mesh-provisioner.explain',
      'asks mesh-provisioner.asks',
      'provisioner_compose mesh-provisioner.compose',
      'reconsider mesh-provisioner.reconsider',
      'accept mesh-provisioner.accept',
    ]);
    for (const { metadata, queue_group } of info!.endpoints) {
      expect(JSON.parse(metadata.request)).toMatchObject({ $schema: expect.any(String), type: 'object' });
      expect(JSON.parse(metadata.answer)).toMatchObject({ $schema: expect.any(String), type: 'object' });
      expect(queue_group).not.toBe('');
    }
    const [router] = await json<typeof info & {}>('$SRV.INFO.mesh-router');
    expect(router!.endpoints.map(({ name, subject }) => `${name} ${subject}`)).toEqual([
      'raise mesh-router.raise',
      'raise_as mesh-router.raise.*',
      'end mesh-router.end',
      'answer mesh-router.answer',
      'asks mesh-router.asks',
    ]);
  });

  test('nats req: an answer is JSON, an empty request is {}, and a refusal has its code in the headers', async () => {
    for (const body of ['', '{}']) expect((await client.request('mesh-provisioner.health', body)).json()).toEqual(health);
    const coded = async (subject: string, body: string) => {
      const { headers: marks, data } = await client.request(subject, body);
      return [marks?.get('Nats-Service-Error-Code'), marks?.get('Nats-Service-Error'), data.length];
    };
    expect(await coded('mesh-provisioner.accept', '{"read":"wants","by":"ada","why":"x"}')).toEqual([
      '404',
      'mesh-provisioner.accept is not stood in for',
      0,
    ]);
    expect(await coded('mesh-provisioner.accept', '{}')).toMatchObject(['400', expect.stringContaining('read: '), 0]);
    expect(await coded('mesh-provisioner.accept', 'accept!')).toMatchObject(['400', expect.stringContaining('no JSON'), 0]);
    expect(await coded('mesh-provisioner.health', '[]')).toMatchObject(['400', expect.stringContaining('object'), 0]);
  });

  test('a handler that throws, before or after its first await, is a 500 and the service goes on', async () => {
    for (const verb of ['mesh-provisioner.asks', 'mesh-provisioner.plans']) {
      const { headers: marks } = await client.request(verb, '{}');
      expect([marks?.get('Nats-Service-Error-Code'), marks?.get('Nats-Service-Error')]).toEqual([
        '500',
        `${verb} failed; the log of the seat says why`,
      ]);
    }
    expect((await client.request('mesh-provisioner.health', '{}')).json()).toEqual(health);
  });

  test('a request that wants no answer, and one with headers, do no harm', async () => {
    client.publish('mesh-provisioner.health', '{}');
    const inbox = createInbox();
    const replies = client.subscribe(inbox, { max: 1 });
    const marks = headers();
    marks.set('Nats-Expected-Stream', 'nobody');
    client.publish('mesh-provisioner.health', '{}', { reply: inbox, headers: marks });
    for await (const reply of replies) expect(reply.json()).toEqual(health);
  });

  test('nats micro stats: counts what was asked, what was refused, and how long it took', async () => {
    const { bus: own, end: over, server: fresh } = await natsBus();
    const outside = await connect({ servers: fresh.url });
    const endpoint: Endpoint = {
      name: 'slow',
      subject: 'a.slow',
      metadata: {},
      handle: async (text) => {
        if (text !== 'wait') return { ok: false, code: 409, says: 'not in that state' };
        await new Promise((done) => setTimeout(done, 20));
        return { ok: true, text: '{}' };
      },
    };
    await own.serve({ name: 'a', version: '1.0.0', description: 'a service', endpoints: [endpoint] });
    await outside.request('a.slow', 'wait');
    await outside.request('a.slow', 'no');
    const stats = (await outside.request('$SRV.STATS.a', '')).json<{ type: string; endpoints: Record<string, number | string>[] }>();
    expect(stats.type).toBe('io.nats.micro.v1.stats_response');
    expect(stats.endpoints).toMatchObject([
      { name: 'slow', subject: 'a.slow', num_requests: 2, num_errors: 1, last_error: '409:not in that state' },
    ]);
    const { processing_time: took, average_processing_time: average } = stats.endpoints[0]!;
    expect(took).toBeGreaterThan(10_000_000);
    expect(average).toBe(Math.round(Number(took) / 2));
    await outside.close();
    await over();
  });
});

test('an answer that this server does not take in one message is a 500, and nothing ends', async () => {
  const server = await NatsServer.start('max_payload: 65536\n');
  const bus = await connectBus(server.url, { name: 'test' });
  const client = await connect({ servers: server.url });
  const handle: Endpoint['handle'] = async (text) => ({ ok: true, text: 'a'.repeat(Number(text)) });
  const endpoint: Endpoint = { name: 'x', subject: 'a.x', metadata: {}, handle };
  await bus.serve({ name: 'a', version: '1.0.0', description: 'a service', endpoints: [endpoint] });
  const { headers: marks } = await client.request('a.x', '70000');
  expect([marks?.get('Nats-Service-Error-Code'), marks?.get('Nats-Service-Error')]).toEqual([
    '500',
    'the answer of a.x could not be sent: MAX_PAYLOAD_EXCEEDED',
  ]);
  expect((await client.request('a.x', '3')).string()).toBe('aaa');
  await client.close();
  await bus.close();
  await server.remove();
});

test('a service whose subscription the server refuses for a while is served again', async () => {
  const { server, end, bus: open } = await natsBus();
  await open.close();
  const users = (seat: string) =>
    `authorization { users = [{ user: seat, password: s, permissions: { subscribe: { deny: [${seat}] } } }, { user: ada, password: a }] }\n`;
  await server.reconfigure(users('"b.x"'));
  const bus = await connectBus(`nats://seat:s@127.0.0.1:${server.port}`, { name: 'test' });
  const client = await connect({ servers: server.url, user: 'ada', pass: 'a', maxReconnectAttempts: -1, reconnectTimeWait: 50 });
  const endpoint: Endpoint = { name: 'x', subject: 'a.x', metadata: {}, handle: async () => ({ ok: true, text: 'served' }) };
  await bus.serve({ name: 'a', version: '1.0.0', description: 'a service', endpoints: [endpoint] });
  const answer = () =>
    client.request('a.x', '', { timeout: 500 }).then(
      (message) => message.string(),
      () => undefined,
    );
  expect(await answer()).toBe('served');
  await server.reconfigure(users('"a.x"'));
  await until(async () => (await answer()) === undefined, 'the refusal');
  await server.reconfigure(users('"b.x"'));
  await until(async () => (await answer()) === 'served', 'the service');
  await client.close();
  await bus.close();
  await end();
});
