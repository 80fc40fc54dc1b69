import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connect } from '../../src/bus/nats/connect.ts';
import type { Bus, Watch } from '../../src/bus/port.ts';
import { adapters, type BusUnderTest } from './buses.ts';
import { Link } from './link.ts';
import { NatsServer } from './nats-server.ts';
import { until } from './until.ts';
import { WatchedRead } from './watched-read.ts';

const MODULES = ['blog', 'wiki', 'mail', 'git', 'chat', 'dns'];
const WANTS = MODULES.map((module) => `n1.${module}`);
let ids = 0;
const write = () => ({ id: `w.${++ids}`, epoch: 1 });
const wanted = async (bus: Bus, keys = WANTS, build = 'b1') => {
  for (const key of keys) await bus.put('wants', key, build, write());
};

describe.each(adapters)('a proved read on the $name bus', ({ make }) => {
  let under: BusUnderTest;
  let bus: Bus;
  const reads: WatchedRead[] = [];
  const readOf = (on: Bus, ...buckets: string[]) => {
    const read = new WatchedRead(on, ...buckets);
    reads.push(read);
    return read;
  };
  beforeEach(async () => {
    under = await make();
    bus = under.bus;
    await bus.createBucket('wants', { history: 1 });
  });
  afterEach(async () => {
    for (const { read } of reads.splice(0)) read.stop();
    await under.end();
  });

  test('gives every entry once it has seen what the stream lists, then each new one in order (P2)', async () => {
    await wanted(bus);
    const read = readOf(bus, 'wants');
    await read.image();
    expect(read.images[0]).toMatchObject([{ bucket: 'wants', identity: await bus.identity('wants') }]);
    expect(Object.keys(read.values)).toEqual(WANTS);
    await wanted(bus, ['n1.blog', 'n1.wiki'], 'b2');
    await bus.delete('wants', 'n1.blog', write());
    await until(() => read.entries.length === 3, 'three entries');
    expect(read.entries.map(({ revision, key, text }) => [revision, key, text])).toEqual([
      [7, 'n1.blog', 'b2'],
      [8, 'n1.wiki', 'b2'],
      [9, 'n1.blog', undefined],
    ]);
  });

  test('takes a bucket that is there and empty for loaded (S03)', async () => {
    const read = readOf(bus, 'wants');
    await read.image();
    expect(read.values).toEqual({});
  });

  test('waits for a want that is overwritten before it is delivered (S01)', async () => {
    await wanted(bus);
    const overwriting = watchedBy(bus, async (watch) => {
      await wanted(bus, ['n1.wiki'], 'b2');
      return watch;
    });
    const read = readOf(overwriting, 'wants');
    await read.image();
    expect(Object.keys(read.values).sort()).toEqual([...WANTS].sort());
  });

  test('keeps delete markers, a trailing one too', async () => {
    await wanted(bus);
    await bus.delete('wants', 'n1.dns', write());
    const read = readOf(bus, 'wants');
    await read.image();
    expect(read.values).toMatchObject({ 'n1.chat': 'b1', 'n1.dns': undefined });
    expect(Object.keys(read.values)).toContain('n1.dns');
  });

  test('of several buckets is one: no image before each of them is there, and none is made (P1, P8)', async () => {
    await wanted(bus);
    const read = readOf(bus, 'wants', 'haves');
    await read.passing(() => read.waited.includes('bucket haves is not there'), 'the read to say what is missing');
    expect(read.images).toEqual([]);
    expect(await bus.identity('haves')).toBeUndefined();
    await bus.createBucket('haves', { history: 1 });
    await read.image();
    expect(read.images[0]?.map(({ bucket, entries }) => [bucket, entries.size])).toEqual([
      ['wants', 6],
      ['haves', 0],
    ]);
    expect(read.lost).toEqual([]);
  });

  test('is never complete by time alone (P4)', async () => {
    await wanted(bus);
    const deaf = watchedBy(bus, async (watch) => ({
      stop: () => watch.stop(),
      [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }),
    }));
    const read = readOf(deaf, 'wants');
    await read.passing(() => read.waited.some((why) => why.includes('is silent')), 'the read to take the watch for silent');
    expect(read.waited[0]).toBe('bucket wants: 0 of 6 entries seen');
    expect(read.images).toEqual([]);
  });

  test('is lost with a stream that was made anew, read again, and what is new is seen (S06)', async () => {
    await wanted(bus);
    const read = readOf(bus, 'wants');
    await read.image();
    await under.destroyBucket('wants');
    await bus.createBucket('wants', { history: 1 });
    const more = Array.from({ length: 12 }, (_, n) => `n2.app-${n}`);
    await wanted(bus, [...WANTS, ...more]);
    await read.image(2);
    expect(read.lost).toHaveLength(1);
    expect(Object.keys(read.values)).toEqual([...WANTS, ...more]);
    expect(read.images[1]![0]!.identity.created).not.toBe(read.images[0]![0]!.identity.created);
    await wanted(bus, ['n3.vault']);
    await until(() => read.entries.some(({ key }) => key === 'n3.vault'), 'the want of vault');
  });

  test('is lost with a stream that was made anew and holds as much as the former one (P3)', async () => {
    await wanted(bus);
    const read = readOf(bus, 'wants');
    await read.image();
    await under.destroyBucket('wants');
    await bus.createBucket('wants', { history: 1 });
    await wanted(bus, WANTS, 'b2');
    await read.image(2);
    expect(read.lost).toEqual([expect.stringContaining(bus.kind === 'nats' ? 'is another stream' : 'is gone')]);
    expect(new Set(Object.values(read.values))).toEqual(new Set(['b2']));
  });

  test('does not mistake a stream made anew during the load for an empty one (P3)', async () => {
    await wanted(bus);
    let remade = false;
    const remaking = watchedBy(bus, async (watch) => {
      if (remade) return watch;
      remade = true;
      await under.destroyBucket('wants');
      await bus.createBucket('wants', { history: 1 });
      return watch;
    });
    const read = readOf(remaking, 'wants');
    await read.image();
    expect(read.waited).toHaveLength(1);
    expect(read.images[0]![0]!.identity).toEqual(await bus.identity('wants'));
  });

  test('is lost with a bucket that goes, and says so until it is back', async () => {
    const read = readOf(bus, 'wants');
    await read.image();
    await under.destroyBucket('wants');
    await read.loss();
    await read.passing(() => read.waited.includes('bucket wants is not there'), 'the read to say that the bucket is not there');
    await bus.createBucket('wants', { history: 1 });
    await read.image(2);
  });

  test('proves everything again when it is told to (P9)', async () => {
    await wanted(bus);
    const read = readOf(bus, 'wants');
    await read.image();
    read.read.again('the seat slept for 50 minutes');
    expect(read.lost).toEqual(['the seat slept for 50 minutes']);
    await read.image(2);
  });

  test('reports nothing once it was stopped', async () => {
    const read = readOf(bus, 'wants');
    await read.image();
    read.read.stop();
    await wanted(bus);
    read.clock.advance(60_000);
    expect(await bus.subjects('wants')).toHaveLength(6);
    expect([read.entries, read.lost, read.images.length]).toEqual([[], [], 1]);
  });
});

describe('a proved read on a server', () => {
  const ends: (() => Promise<void> | void)[] = [];
  const ending = <T>(thing: T, end: (thing: T) => Promise<void> | void): T => {
    ends.unshift(() => end(thing));
    return thing;
  };
  const started = async (config?: string) => ending(await NatsServer.start(config), (server) => server.remove());
  const connected = async (url: string) => ending(await connect(url, { name: 'test' }), (bus) => bus.close());
  const linked = async (server: NatsServer) => ending(await Link.to(server.port), (link) => link.close());
  const readOf = (bus: Bus) => ending(new WatchedRead(bus, 'wants'), ({ read }) => read.stop());
  const filled = async (server: NatsServer) => {
    const bus = await connected(server.url);
    await bus.createBucket('wants', { history: 1 });
    await wanted(bus);
    return bus;
  };
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  test('sees every want though all are overwritten while it loads (S02)', async () => {
    const server = await started();
    const direct = await connected(server.url);
    await direct.createBucket('wants', { history: 1 });
    const keys = Array.from({ length: 40 }, (_, n) => `n${n % 12}.app-${n}`);
    const large = 'x'.repeat(100_000);
    await wanted(direct, keys, large);
    const link = await linked(server);
    const bus = watchedBy(await connected(link.url), async (watch) => {
      link.hold();
      await wanted(direct, keys, 'b2');
      link.release();
      return watch;
    });
    const read = readOf(bus);
    await read.image();
    expect(Object.keys(read.values).sort()).toEqual([...keys].sort());
  });

  test('is lost with the connection, and finds what was deleted meanwhile (P3)', async () => {
    const server = await started();
    const direct = await filled(server);
    const link = await linked(server);
    const read = readOf(await connected(link.url));
    await read.image();
    link.cut();
    await read.loss();
    expect(read.lost).toEqual(['the connection to the bus was lost']);
    await direct.delete('wants', 'n1.git', write());
    await read.image(2);
    expect(read.values).toMatchObject({ 'n1.git': undefined });
  });

  test('reads again after a restart of the server with its data', async () => {
    const server = await started();
    const read = readOf(await filled(server));
    await read.image();
    await server.stop('SIGKILL');
    await server.start();
    await read.image(2);
    expect(Object.keys(read.values)).toEqual(WANTS);
    expect(read.lost).toHaveLength(1);
  });

  test('is lost with its permission, and names it (S09)', async () => {
    const users = (denied: string) =>
      `authorization { users = [{ user: seat, password: seat, permissions: { publish: { deny: [${denied}] } } }] }\n`;
    const server = await started(users(''));
    const bus = await connected(`nats://seat:seat@127.0.0.1:${server.port}`);
    await bus.createBucket('wants', { history: 1 });
    await wanted(bus);
    const read = readOf(bus);
    await read.image();
    await server.reconfigure(users('"$JS.API.STREAM.INFO.KV_wants", "$JS.API.CONSUMER.CREATE.KV_wants.>"'));
    await read.loss();
    await read.passing(() => read.waited.some((why) => why.includes('no permission')), 'the read to name the permission');
    expect(read.waited.at(-1)).toContain('$JS.API.STREAM.INFO.KV_wants');
    await server.reconfigure(users(''));
    await read.image(2);
    expect(Object.keys(read.values)).toEqual(WANTS);
  });

  test('is lost when its watch falls silent, and sees what it missed (S12)', async () => {
    const server = await started();
    const bus = await filled(server);
    const read = readOf(bus);
    await read.image();
    await server.administer(async (manager) => {
      for await (const { name } of manager.consumers.list('KV_wants')) await manager.consumers.delete('KV_wants', name);
    });
    await bus.delete('wants', 'n1.wiki', write());
    await read.image(2);
    expect(read.lost).toEqual(['the watch of bucket wants is silent: messages behind 6 do not come']);
    expect(read.values).toMatchObject({ 'n1.wiki': undefined });
  });

  test('does not take a message that was removed from the stream for silence (S17)', async () => {
    const server = await started();
    const bus = await filled(server);
    await server.administer((manager) => manager.streams.deleteMessage('KV_wants', 6));
    const read = readOf(bus);
    await read.image();
    const passed = read.clock.now() + 60_000;
    await read.passing(() => read.clock.now() >= passed, 'a minute');
    expect(read.lost).toEqual([]);
    expect(Object.keys(read.values)).toEqual(WANTS.slice(0, 5));
  });

  test('holds back while its link is cut ten times, and piles up no consumers (S62)', async () => {
    const server = await started();
    await filled(server);
    const link = await linked(server);
    const bus = await connected(link.url);
    let watches = 0;
    const read = readOf(
      watchedBy(bus, async (watch) => {
        watches += 1;
        return watch;
      }),
    );
    await read.image();
    let returns = 0;
    bus.onConnection((isConnected) => {
      returns += isConnected ? 1 : 0;
    });
    for (let cut = 1; cut <= 10; cut += 1) {
      link.cut();
      await until(() => returns === cut, `return ${cut}`);
      read.clock.advance(1_000);
    }
    expect(watches).toBeLessThanOrEqual(6);
    await read.image(2);
    expect(Object.keys(read.values)).toEqual(WANTS);
  });
});

/** A bus of which each watch of a whole bucket passes through a hand before the read gets it. */
function watchedBy(bus: Bus, hand: (watch: Watch) => Promise<Watch>): Bus {
  return new Proxy(bus, {
    get(target, name) {
      if (name === 'watch')
        return async (...[bucket, options]: Parameters<Bus['watch']>) => {
          const watch = await target.watch(bucket, options);
          return options === undefined ? hand(watch) : watch;
        };
      const found: unknown = Reflect.get(target, name, target);
      return typeof found === 'function' ? found.bind(target) : found;
    },
  });
}
