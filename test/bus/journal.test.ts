import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/bus/clock.ts';
import { Journal } from '../../src/bus/journal.ts';
import type { Bus, StreamRecord } from '../../src/bus/port.ts';
import { adapters, type BusUnderTest, natsBus } from './buses.ts';
import { until } from './until.ts';

const STREAM = 'LOG_mesh-provisioner_journal';
const SUBJECT = 'LOG.mesh-provisioner.journal';
const open = (bus: Bus, known = 0) => Journal.open(bus, systemClock, known);

describe.each(adapters)('the journal on the $name bus', ({ make }) => {
  let under: BusUnderTest;
  let bus: Bus;
  beforeEach(async () => {
    under = await make();
    bus = under.bus;
  });
  afterEach(() => under.end());

  test('takes records in order and gives them back', async () => {
    const journal = await open(bus);
    expect(await journal.append('one', { id: '1', epoch: 1 })).toEqual({ done: true, sequence: 1 });
    expect(await journal.append('two', { id: '2', epoch: 1 })).toEqual({ done: true, sequence: 2 });
    expect(journal.head).toBe(2);
    expect((await all(journal.records(1))).map(({ text }) => text)).toEqual(['one', 'two']);
    expect(journal.head).toBe(2);
  });

  test('goes on where a snapshot ends, once what is behind it was read (E2)', async () => {
    const first = await open(bus);
    for (const id of ['1', '2', '3']) await first.append(id, { id, epoch: 1 });
    const second = await open(bus, 1);
    expect(second.created).toBe(first.created);
    expect((await all(second.unread())).map(({ text }) => text)).toEqual(['2', '3']);
    expect(await second.append('4', { id: '4', epoch: 2 })).toEqual({ done: true, sequence: 4 });
  });

  test('fences a seat that does not know the last record, and leaves nothing of it (E4)', async () => {
    const [former, holder] = [await open(bus), await open(bus)];
    await holder.append('epoch 2', { id: '2', epoch: 2 });
    expect(await former.append('late', { id: '1', epoch: 1 })).toEqual({
      done: false,
      because: 'fenced',
      says: 'record 1, of epoch 2, was appended by another',
    });
    expect((await all(holder.records(1))).map(({ text }) => text)).toEqual(['epoch 2']);
  });

  test('tells a lost journal from a lost seat', async () => {
    const journal = await open(bus);
    await journal.append('one', { id: '1', epoch: 1 });
    await under.destroyStream(STREAM);
    expect(await journal.append('two', { id: '2', epoch: 1 })).toMatchObject({ done: false, because: 'lost' });
    const another = await open(bus);
    for (const id of ['a', 'b']) await another.append(id, { id, epoch: 1 });
    expect(await journal.append('two', { id: '2', epoch: 1 })).toMatchObject({ done: false, because: 'lost' });
  });

  test('knows its own record when the acknowledgement of it was lost', async () => {
    await (await open(bus)).append('one', { id: '1', epoch: 1 });
    const unsure = await open(bus);
    expect(await unsure.append('one', { id: '1', epoch: 1 })).toEqual({ done: true, sequence: 1 });
    expect(unsure.head).toBe(1);
  });

  test('refuses what is too large and goes on', async () => {
    const journal = await open(bus);
    expect(await journal.append('x'.repeat(2_000_000), { id: '1', epoch: 1 })).toMatchObject({ done: false, because: 'refused' });
    expect(await journal.append('one', { id: '2', epoch: 1 })).toEqual({ done: true, sequence: 1 });
  });

  test('takes one append at a time, and no id for two records', async () => {
    const journal = await open(bus);
    const first = journal.append('one', { id: '1', epoch: 1 });
    await expect(journal.append('two', { id: '2', epoch: 1 })).rejects.toThrow('one append at a time');
    await first;
    await expect(journal.append('two', { id: '1', epoch: 1 })).rejects.toThrow('id 1 is already the one of record 1');
  });
});

describe('the journal on a server', () => {
  let under: Awaited<ReturnType<typeof natsBus>>;
  beforeEach(async () => {
    under = await natsBus();
  });
  afterEach(() => under.end());

  test('sends the same record again until it is known, through an outage', async () => {
    const journal = await open(under.bus);
    await journal.append('one', { id: '1', epoch: 1 });
    await under.server.stop('SIGKILL');
    const appended = journal.append('two', { id: '2', epoch: 1 });
    await under.server.start();
    expect(await appended).toEqual({ done: true, sequence: 2 });
  });

  test('knows its own record by reading it, once the server has forgotten its id', async () => {
    const forgetful = { name: STREAM, subjects: [SUBJECT], duplicate_window: 100_000_000 };
    await under.server.administer((manager) => manager.streams.add(forgetful));
    await under.bus.append(SUBJECT, 'one', { id: '1', epoch: 1, expected: 0 });
    await until(async () => {
      const again = await under.bus.append(SUBJECT, 'one', { id: '1', epoch: 1, expected: 0 });
      return !again.done && again.because === 'other-revision';
    }, 'the server to forget the id');
    expect(await (await open(under.bus)).append('one', { id: '1', epoch: 1 })).toEqual({ done: true, sequence: 1 });
  });
});

async function all(records: AsyncIterable<StreamRecord>): Promise<StreamRecord[]> {
  const read: StreamRecord[] = [];
  for await (const record of records) read.push(record);
  return read;
}
