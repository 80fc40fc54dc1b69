import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PlaceholderKind } from '../../src/bus/contracts/registry.ts';
import type { Bus } from '../../src/bus/port.ts';
import { registry } from '../../src/machines/registry.ts';
import { RegistryEntries } from '../../src/seat/registry-entries.ts';
import { adapters, type BusUnderTest } from '../bus/buses.ts';
import { ManualClock } from '../bus/manual-clock.ts';
import { until } from '../bus/until.ts';

const BUCKET = 'mesh-provisioner_registry';
const HOUR_MS = 3_600_000;

describe.each(adapters)('the registry on the $name bus', ({ make }) => {
  let under: BusUnderTest;
  let bus: Bus;
  let clock: ManualClock;
  let said: string[];
  let kept: RegistryEntries[];
  let mayAct: boolean;

  beforeEach(async () => {
    under = await make();
    bus = under.bus;
    await bus.createBucket(BUCKET, { history: 1 });
    clock = new ManualClock();
    [said, kept, mayAct] = [[], [], true];
  });
  afterEach(async () => {
    for (const one of kept) one.stop();
    await under.end();
  });

  function keep(epoch = 1, over: Bus = bus): RegistryEntries {
    const entries = new RegistryEntries({
      bus: over,
      clock,
      epoch,
      everyMs: HOUR_MS,
      mayAct: () => mayAct,
      say: (line) => said.push(line),
    });
    kept.push(entries);
    entries.start();
    return entries;
  }
  const put = (key: string, text: string, epoch = 0) => bus.put(BUCKET, key, text, { id: `test.${key}.${text}`, epoch });
  const text = async (key: string) => (await bus.get(BUCKET, key))?.text;
  const revisions = () => Promise.all(PlaceholderKind.options.map(async (kind) => (await bus.get(BUCKET, kind))?.revision));
  const isWhole = async () => {
    for (const [kind, value] of Object.entries(registry)) if ((await text(kind)) !== JSON.stringify(value)) return false;
    return true;
  };

  test('R1 R3 holds all 13 kinds from the start', async () => {
    keep();
    await until(isWhole, 'the registry');
    expect([...(await bus.subjects(BUCKET))].sort()).toEqual([...PlaceholderKind.options].sort());
    expect(said).toEqual([]);
  });

  test('R3 is looked over each hour, and only what differs is written', async () => {
    keep();
    await until(isWhole, 'the registry');
    await until(() => clock.waiting === 1, 'the wait for the next hour');
    const before = await revisions();
    const put1 = await put('config', '{"owner":"me","from":{"plan":true}}');
    clock.advance(HOUR_MS - 1);
    expect(clock.waiting).toBe(1);
    expect(await text('config')).toBe('{"owner":"me","from":{"plan":true}}');
    clock.advance(1);
    await until(isWhole, 'what was put right');
    const after = await revisions();
    expect(after.slice(1)).toEqual(before.slice(1));
    expect(said).toEqual([`registry: config was not as compiled in at revision ${put1.done && put1.revision}, put right`]);
  });

  test('R3 a new holder writes nothing that stands', async () => {
    const former = keep(1);
    await until(() => clock.waiting === 1, 'the end of the first look');
    former.stop();
    const before = await revisions();
    keep(2);
    await until(() => clock.waiting === 1, 'the end of the second look');
    expect(await revisions()).toEqual(before);
  });

  test('R3 an entry of any other kind is deleted, one out of shape too, and each is said', async () => {
    await put('file', '{}');
    await put('config.extra', '{}');
    await put('=zz', '{}');
    keep();
    await until(() => clock.waiting === 1, 'the end of the look');
    for (const key of ['file', 'config.extra', '=zz']) expect(await bus.get(BUCKET, key)).toMatchObject({ key, text: undefined });
    expect(said).toEqual([
      'registry: =zz deleted: expected <kind>, "=zz" is not how a name is written',
      'registry: config.extra deleted: expected <kind>, found 2 tokens',
      'registry: file deleted: no kind of placeholder has that name',
    ]);
    expect(await isWhole()).toBe(true);
  });

  test('R3 an entry that somebody deleted is put again, and what was deleted before is left deleted', async () => {
    await put('file', '{}');
    keep();
    await until(() => clock.waiting === 1, 'the end of the look');
    const marker = (await bus.get(BUCKET, 'file'))!.revision;
    await bus.delete(BUCKET, 'dir', { id: 'test.gone', epoch: 0 });
    clock.advance(HOUR_MS);
    await until(async () => (await isWhole()) && clock.waiting === 1, 'what was put again');
    expect(said.at(-1)).toBe('registry: dir had been deleted, put again');
    expect((await bus.get(BUCKET, 'file'))!.revision).toBe(marker);
  });

  test('one entry that the store refuses costs only itself, is said once, and is tried again soon', async () => {
    let isRefused = true;
    const refusing = new Proxy(bus, {
      get(target, name) {
        const found = Reflect.get(target, name, target);
        if (name === 'put')
          return (...args: Parameters<Bus['put']>) =>
            isRefused && args[1] === 'config'
              ? Promise.resolve({ done: false, because: 'refused', says: 'the bucket is full' })
              : bus.put(...args);
        return typeof found === 'function' ? found.bind(target) : found;
      },
    });
    keep(1, refusing);
    await until(() => clock.waiting === 1, 'the end of the look');
    expect([await text('config'), await text('machine')]).toEqual([undefined, JSON.stringify(registry.machine)]);
    clock.advance(5_000);
    await until(() => clock.waiting === 1, 'the end of the second look');
    expect(said).toEqual(['the registry is not as it should be: config: the bucket is full']);
    isRefused = false;
    clock.advance(5_000);
    await until(isWhole, 'the registry');
  });

  test('E4 a former holder writes nothing, nor one whose lease is not renewed', async () => {
    await put('config', '{"newer":true}', 7);
    keep(6);
    await until(() => clock.waiting === 1, 'the end of the look');
    expect(await text('config')).toBe('{"newer":true}');
    expect(said).toEqual(['the registry is not as it should be: config: it was written by epoch 7, this is epoch 6']);
    mayAct = false;
    await put('dir', '{}');
    clock.advance(5_000);
    await until(() => clock.waiting === 1, 'the end of the second look');
    expect(await text('dir')).toBe('{}');
  });

  test('is read again once the bucket is back', async () => {
    await under.destroyBucket(BUCKET);
    keep();
    await until(() => said.length === 1, 'the line that says so');
    await bus.createBucket(BUCKET, { history: 1 });
    await until(() => clock.waiting === 1, 'the end of the look');
    clock.advance(5_000);
    await until(isWhole, 'the registry');
  });
});
