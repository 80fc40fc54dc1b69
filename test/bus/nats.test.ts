import { afterEach, describe, expect, test } from 'vitest';
import { connect } from '../../src/bus/nats/connect.ts';
import type { Bus } from '../../src/bus/port.ts';
import { busAcceptance } from './acceptance.ts';
import { natsBus } from './buses.ts';
import { NatsServer } from './nats-server.ts';
import { until } from './until.ts';

busAcceptance('nats', natsBus);

describe('a connection', () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  const started = async (config = '') => {
    const server = await NatsServer.start(config);
    ends.push(() => server.remove());
    return server;
  };
  const connected = async (url: string): Promise<Bus> => {
    const bus = await connect(url, { name: 'test' });
    ends.push(() => bus.close());
    return bus;
  };

  test('says which address does not answer', async () => {
    const server = await started();
    await server.stop();
    await expect(connect(server.url, { name: 'test' })).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining(server.url),
    });
  });

  test('says what an address looks like', async () => {
    await expect(connect('localhost', { name: 'test' })).rejects.toThrow(
      '"localhost" is no address of a NATS server: expected nats://host:port',
    );
  });

  test('says which credentials file cannot be read', async () => {
    await expect(connect('nats://127.0.0.1:1', { name: 'test', credentials: '/nowhere/seat.creds' })).rejects.toThrow(
      '/nowhere/seat.creds',
    );
  });

  test('is refused with a wrong password, which is told to nobody', async () => {
    const server = await started('authorization { users = [{ user: seat, password: right }] }\n');
    const refused = connect(`nats://seat:wrong@127.0.0.1:${server.port}`, { name: 'test' });
    await expect(refused).rejects.toMatchObject({ code: 'permission', message: expect.not.stringContaining('wrong') });
    const bus = await connected(`nats://seat:right@127.0.0.1:${server.port}`);
    expect(bus.where).toBe(server.url);
  });

  test('that is lost ends every watch, is told, and finds its server again with what it held', async () => {
    const server = await started();
    const bus = await connected(server.url);
    const told: boolean[] = [];
    bus.onConnection((connected) => told.push(connected));
    await bus.createBucket('b', { history: 1 });
    await bus.put('b', 'a', '1', { id: '1.1', epoch: 1 });
    const ended = endOf(await bus.watch('b'));
    await server.stop('SIGKILL');
    expect(await ended).toMatchObject({ code: 'watch-lost', message: expect.stringContaining('watch bucket b') });
    await server.start();
    await until(() => told.includes(true), 'the connection to come back');
    expect(told).toEqual([false, true]);
    expect(await bus.get('b', 'a')).toMatchObject({ text: '1' });
  });

  test('does not know what became of a write while the server is away', async () => {
    const server = await started();
    const bus = await connected(server.url);
    await bus.createBucket('b', { history: 1 });
    await server.stop();
    expect(await bus.put('b', 'a', '1', { id: '1.1', epoch: 1 })).toMatchObject({ done: false, because: 'unknown' });
  });

  test('that was closed throws, so that nobody tries for ever', async () => {
    const server = await started();
    const bus = await connected(server.url);
    await bus.createBucket('b', { history: 1 });
    await bus.close();
    await expect(bus.put('b', 'a', '1', { id: '1.1', epoch: 1 })).rejects.toMatchObject({ code: 'unreachable' });
  });

  test('names the right that is missing', async () => {
    const server = await started(rights('publish: { deny: ["$KV.b.>", "$JS.API.CONSUMER.CREATE.>"] }'));
    await server.administer((_, connection) => connection.jetstream().views.kv('b'), { user: 'admin', pass: 'admin' });
    const bus = await connected(`nats://seat:seat@127.0.0.1:${server.port}`);
    await expect(bus.watch('b')).rejects.toMatchObject({
      code: 'permission',
      message: expect.stringContaining('$JS.API.CONSUMER.CREATE.KV_b'),
    });
    const refused = await bus.put('b', 'a', '1', { id: '1.1', epoch: 1 });
    expect(refused).toMatchObject({ done: false, because: 'refused', says: expect.stringContaining('$KV.b.a') });
  });

  test('says what the store has against a write', async () => {
    const server = await started();
    const bus = await connected(server.url);
    await server.administer((_, connection) => connection.jetstream().views.kv('b', { max_bytes: 300 }));
    expect(await bus.put('b', 'a', 'x'.repeat(400), { id: '1.1', epoch: 1 })).toMatchObject({ done: false, because: 'refused' });
    expect(await bus.put('b', 'a', 'x', { id: '1.1', epoch: 1 })).toMatchObject({ done: true });
  });

  test('serves verbs that are found with their metadata, in a queue group of each instance', async () => {
    const server = await started();
    const service = {
      name: 'seat',
      version: '1.0.0',
      description: 'a seat',
      endpoints: [
        {
          name: 'seat_health',
          subject: 'seat.health',
          metadata: { request: '{}' },
          handle: async () => ({ ok: true as const, text: '{}' }),
        },
      ],
    };
    for (let n = 0; n < 2; n += 1) await (await connected(server.url)).serve(service);
    const found = await server.administer(async (_, connection) => {
      const infos = [];
      for await (const info of await connection.services.client().info('seat')) infos.push(info);
      return infos;
    });
    expect(found.map(({ endpoints }) => endpoints)).toMatchObject([
      [{ name: 'seat_health', subject: 'seat.health', metadata: { request: '{}' } }],
      [{ name: 'seat_health', subject: 'seat.health', metadata: { request: '{}' } }],
    ]);
    expect(new Set(found.map(({ endpoints }) => (endpoints as { queue_group?: string }[])[0]?.queue_group)).size).toBe(2);
  });
});

function rights(seat: string): string {
  return `authorization { users = [{ user: admin, password: admin }, { user: seat, password: seat, permissions: { ${seat} } }] }\n`;
}

async function endOf(watch: AsyncIterable<unknown>): Promise<unknown> {
  try {
    for await (const _ of watch);
    return 'ended';
  } catch (error) {
    return error;
  }
}
