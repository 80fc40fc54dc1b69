import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bus, BusEntry, Endpoint, StreamRecord, Watch } from '../../src/bus/port.ts';
import type { BusUnderTest } from './buses.ts';

const BIG = 'x'.repeat(1_048_577);

/** What any bus of this project does, whatever it is made of. */
export function busAcceptance(name: string, make: () => Promise<BusUnderTest>): void {
  describe(`${name} bus`, () => {
    let under: BusUnderTest;
    let bus: Bus;
    let made = 0;
    let ids = 0;
    const write = (expected?: number) => ({ id: `1.${++ids}`, epoch: 1, ...(expected !== undefined && { expected }) });
    const bucketOf = async (history: number) => {
      const bucket = `bucket-${++made}`;
      await bus.createBucket(bucket, { history });
      return bucket;
    };
    const streamOf = async () => {
      const stream = `LOG_${++made}`;
      await bus.createStream(stream, `LOG.${made}`);
      return { stream, subject: `LOG.${made}` };
    };

    beforeAll(async () => {
      under = await make();
      bus = under.bus;
    });
    afterAll(() => under.end());

    describe('a bucket', () => {
      test('numbers its messages from 1, whatever their key', async () => {
        const bucket = await bucketOf(1);
        expect(await bus.put(bucket, 'n1.blog', '"a"', write())).toEqual({ done: true, revision: 1, duplicate: false });
        expect(await bus.put(bucket, 'n1.wiki', '"b"', write())).toMatchObject({ revision: 2 });
        expect(await bus.put(bucket, 'n1.blog', '"c"', write())).toMatchObject({ revision: 3 });
        expect(await bus.get(bucket, 'n1.blog')).toMatchObject({ key: 'n1.blog', revision: 3, text: '"c"' });
      });

      test('keeps the id and the epoch of a write', async () => {
        const bucket = await bucketOf(1);
        await bus.put(bucket, 'a', '1', { id: '7.0', epoch: 4 });
        expect(await bus.get(bucket, 'a')).toEqual({ key: 'a', revision: 1, text: '1', id: '7.0', epoch: 4 });
      });

      test('knows nothing of a key that was never written', async () => {
        expect(await bus.get(await bucketOf(1), 'n1.blog')).toBeUndefined();
      });

      test('keeps as many values of a key as its history says', async () => {
        const bucket = await bucketOf(2);
        for (const text of ['1', '2', '3']) await bus.put(bucket, 'a', text, write());
        expect(await bus.getAt(bucket, 'a', 1)).toBeUndefined();
        expect(await bus.getAt(bucket, 'a', 2)).toMatchObject({ text: '2' });
        expect(await bus.getAt(bucket, 'b', 2)).toBeUndefined();
      });

      test('is left as it is when it is made again', async () => {
        const bucket = await bucketOf(1);
        await bus.put(bucket, 'a', '1', write());
        const before = await bus.identity(bucket);
        await bus.createBucket(bucket, { history: 1 });
        expect(await bus.identity(bucket)).toEqual(before);
      });

      test('that is not there has no identity and is never made by a read (P8)', async () => {
        const missing = `missing-${++made}`;
        await expect(bus.watch(missing)).rejects.toMatchObject({ code: 'no-bucket' });
        await expect(bus.subjects(missing)).rejects.toMatchObject({ code: 'no-bucket' });
        await expect(bus.get(missing, 'a')).rejects.toMatchObject({ code: 'no-bucket' });
        expect(await bus.put(missing, 'a', '1', write())).toMatchObject({ done: false, because: 'refused' });
        expect(await bus.identity(missing)).toBeUndefined();
      });

      test('made anew has another identity and begins again (P3)', async () => {
        const bucket = await bucketOf(1);
        await bus.put(bucket, 'a', '1', write());
        const before = await bus.identity(bucket);
        await under.destroyBucket(bucket);
        await bus.createBucket(bucket, { history: 1 });
        expect(before).toMatchObject({ lastSequence: 1 });
        expect((await bus.identity(bucket))?.created).not.toBe(before?.created);
        expect(await bus.identity(bucket)).toMatchObject({ lastSequence: 0 });
        expect(await bus.get(bucket, 'a')).toBeUndefined();
        expect(await bus.put(bucket, 'a', '1', { id: '1.1', epoch: 1 })).toEqual({ done: true, revision: 1, duplicate: false });
      });

      test('lists every key, those with a delete marker too (P2)', async () => {
        const bucket = await bucketOf(1);
        expect(await bus.subjects(bucket)).toEqual(new Set());
        await bus.put(bucket, 'n1.shell=3Azsh', '1', write());
        await bus.put(bucket, 'n1.blog', '1', write());
        await bus.delete(bucket, 'n1.blog', write());
        expect(await bus.subjects(bucket)).toEqual(new Set(['n1.shell=3Azsh', 'n1.blog']));
      });

      test('keeps text as it was, whatever the letters', async () => {
        const bucket = await bucketOf(1);
        await bus.put(bucket, 'a', '{"why":"größer → ☃ 🎈"}', write());
        expect((await bus.get(bucket, 'a'))?.text).toBe('{"why":"größer → ☃ 🎈"}');
        await bus.put(bucket, 'a', '', write());
        expect((await bus.get(bucket, 'a'))?.text).toBe('');
      });
    });

    describe('a conditional write', () => {
      test('is refused with another revision than the one it expects, and changes nothing', async () => {
        const bucket = await bucketOf(1);
        await bus.put(bucket, 'a', '1', write(0));
        expect(await bus.put(bucket, 'a', '2', write(0))).toMatchObject({ done: false, because: 'other-revision' });
        expect(await bus.put(bucket, 'a', '2', write(7))).toMatchObject({ done: false, because: 'other-revision' });
        expect(await bus.delete(bucket, 'a', write(7))).toMatchObject({ done: false, because: 'other-revision' });
        expect(await bus.identity(bucket)).toMatchObject({ lastSequence: 1 });
      });

      test('goes by the key and not by the bucket', async () => {
        const bucket = await bucketOf(1);
        await bus.put(bucket, 'a', '1', write());
        await bus.put(bucket, 'b', '1', write());
        expect(await bus.put(bucket, 'a', '2', write(1))).toMatchObject({ done: true, revision: 3 });
      });

      test('of which many come at once lets one through', async () => {
        const bucket = await bucketOf(1);
        const results = await Promise.all([1, 2, 3, 4, 5].map((n) => bus.put(bucket, 'a', `${n}`, write(0))));
        expect(results.filter(({ done }) => done)).toHaveLength(1);
      });
    });

    describe('a delete', () => {
      test('leaves a marker, which is read as one and not as a value (S11)', async () => {
        const bucket = await bucketOf(5);
        await bus.put(bucket, 'a', '1', write());
        expect(await bus.delete(bucket, 'a', write(1))).toMatchObject({ done: true, revision: 2 });
        expect(await bus.get(bucket, 'a')).toMatchObject({ key: 'a', revision: 2, text: undefined });
        expect(await bus.getAt(bucket, 'a', 1)).toMatchObject({ text: '1' });
      });

      test("is followed by a value with the marker's revision, and 0 is refused", async () => {
        const bucket = await bucketOf(1);
        await bus.put(bucket, 'a', '1', write());
        await bus.delete(bucket, 'a', write());
        expect(await bus.put(bucket, 'a', '2', write(0))).toMatchObject({ done: false, because: 'other-revision' });
        expect(await bus.put(bucket, 'a', '2', write(2))).toMatchObject({ done: true, revision: 3 });
      });
    });

    describe('an id', () => {
      test('sent twice is one write, and the second one’s bytes are dropped', async () => {
        const bucket = await bucketOf(1);
        await bus.put(bucket, 'a', '1', { id: '9.1', epoch: 1 });
        expect(await bus.put(bucket, 'a', '2', { id: '9.1', epoch: 1 })).toEqual({ done: true, revision: 1, duplicate: true });
        expect(await bus.get(bucket, 'a')).toMatchObject({ revision: 1, text: '1' });
      });

      test('is looked at before the expectation, so that a retry is not taken for a lost race', async () => {
        const bucket = await bucketOf(1);
        await bus.put(bucket, 'a', '1', { id: '9.2', epoch: 1, expected: 0 });
        expect(await bus.put(bucket, 'a', '1', { id: '9.2', epoch: 1, expected: 0 })).toMatchObject({ done: true, duplicate: true });
      });

      test('of a refused write is not remembered', async () => {
        const bucket = await bucketOf(1);
        await bus.put(bucket, 'a', '1', { id: '9.3', epoch: 1, expected: 5 });
        expect(await bus.put(bucket, 'a', '1', { id: '9.3', epoch: 1, expected: 0 })).toMatchObject({ done: true, duplicate: false });
      });

      test('is a bucket’s own', async () => {
        const [one, other] = [await bucketOf(1), await bucketOf(1)];
        await bus.put(one, 'a', '1', { id: '9.4', epoch: 1 });
        expect(await bus.put(other, 'a', '1', { id: '9.4', epoch: 1 })).toMatchObject({ duplicate: false });
      });
    });

    describe('a write that cannot be', () => {
      test('is refused where it is too large', async () => {
        const bucket = await bucketOf(1);
        expect(await bus.put(bucket, 'a', BIG, write())).toMatchObject({
          done: false,
          because: 'refused',
          says: expect.stringContaining('bytes'),
        });
        expect(await bus.identity(bucket)).toMatchObject({ lastSequence: 0 });
      });

      test.each(['', 'a..b', '.a', 'a.', 'a b', 'a.*', 'a.>', 'ä'])('is refused where "%s" is its key', async (key) => {
        const bucket = await bucketOf(1);
        expect(await bus.put(bucket, key, '1', write())).toMatchObject({
          done: false,
          because: 'refused',
          says: expect.stringContaining('is no key'),
        });
      });
    });

    describe('a watch', () => {
      test('brings the last message of each key by rising revision, then what comes', async () => {
        const bucket = await bucketOf(5);
        for (const [key, text] of [
          ['a', '1'],
          ['b', '2'],
          ['a', '3'],
        ] as const)
          await bus.put(bucket, key, text, write());
        await bus.delete(bucket, 'b', write());
        const watch = await bus.watch(bucket);
        const seen = take(watch, 4);
        await bus.put(bucket, 'c', '5', write());
        await bus.put(bucket, 'a', '6', write());
        expect((await seen).map(short)).toEqual(['3 a 3', '4 b deleted', '5 c 5', '6 a 6']);
      });

      test('after a revision brings every message kept since', async () => {
        const bucket = await bucketOf(5);
        for (const text of ['1', '2', '3']) await bus.put(bucket, 'a', text, write());
        expect((await take(await bus.watch(bucket, { afterRevision: 1 }), 2)).map(short)).toEqual(['2 a 2', '3 a 3']);
      });

      test('after the last revision waits for the next', async () => {
        const bucket = await bucketOf(1);
        await bus.put(bucket, 'a', '1', write());
        const seen = take(await bus.watch(bucket, { afterRevision: 1 }), 1);
        await bus.put(bucket, 'b', '2', write());
        expect((await seen).map(short)).toEqual(['2 b 2']);
      });

      test('carries the id and the epoch of a write', async () => {
        const bucket = await bucketOf(1);
        await bus.put(bucket, 'a', '1', { id: '8.1', epoch: 3 });
        expect(await take(await bus.watch(bucket), 1)).toEqual([{ key: 'a', revision: 1, text: '1', id: '8.1', epoch: 3 }]);
      });

      test('brings more entries than one read holds, each once', async () => {
        const bucket = await bucketOf(1);
        const keys = Array.from({ length: 1_000 }, (_, n) => `n.${n}`);
        await Promise.all(keys.map((key) => bus.put(bucket, key, '1', write())));
        const seen = await take(await bus.watch(bucket), keys.length);
        expect(new Set(seen.map(({ key }) => key))).toEqual(new Set(keys));
        expect(seen.map(({ revision }) => revision)).toEqual(seen.map((_, index) => index + 1));
      });

      test('ends when it is stopped', async () => {
        const watch = await bus.watch(await bucketOf(1));
        const seen = take(watch, 1);
        watch.stop();
        expect(await seen).toEqual([]);
      });
    });

    describe('a stream', () => {
      test('appends where its last sequence is the expected one: a fence', async () => {
        const { stream, subject } = await streamOf();
        expect(await bus.append(subject, 'a', { ...write(), expected: 0 })).toEqual({ done: true, revision: 1, duplicate: false });
        expect(await bus.append(subject, 'b', { ...write(), expected: 1 })).toMatchObject({ revision: 2 });
        expect(await bus.append(subject, 'c', { ...write(), expected: 1 })).toMatchObject({ done: false, because: 'other-revision' });
        expect(await bus.streamState(stream)).toMatchObject({ lastSequence: 2 });
      });

      test('knows an append that comes twice by its id', async () => {
        const { subject } = await streamOf();
        await bus.append(subject, 'a', { id: '1', epoch: 1, expected: 0 });
        expect(await bus.append(subject, 'a', { id: '1', epoch: 1, expected: 0 })).toEqual({ done: true, revision: 1, duplicate: true });
      });

      test('gives its records back, from a sequence to the last', async () => {
        const { stream, subject } = await streamOf();
        expect(await all(bus.records(stream, 1))).toEqual([]);
        for (const n of [0, 1, 2]) await bus.append(subject, `record ${n}`, { id: `r${n}`, epoch: 2, expected: n });
        expect(await all(bus.records(stream, 2))).toEqual([
          { sequence: 2, text: 'record 1', id: 'r1', epoch: 2 },
          { sequence: 3, text: 'record 2', id: 'r2', epoch: 2 },
        ]);
        expect(await all(bus.records(stream, 4))).toEqual([]);
      });

      test('is trimmed from its beginning, and neither its fence nor what is read of it moves', async () => {
        const { stream, subject } = await streamOf();
        expect(await bus.streamState(stream)).toMatchObject({ firstSequence: 1, lastSequence: 0, bytes: 0 });
        for (const n of [0, 1, 2, 3]) await bus.append(subject, `record ${n}`, { id: `r${n}`, epoch: 1, expected: n });
        const whole = (await bus.streamState(stream))!.bytes;
        await bus.trimStream(stream, 3);
        await bus.trimStream(stream, 2);
        const trimmed = (await bus.streamState(stream))!;
        expect(trimmed).toMatchObject({ firstSequence: 3, lastSequence: 4 });
        expect(trimmed.bytes).toBeCloseTo(whole / 2, -1);
        expect((await all(bus.records(stream, 1))).map(({ sequence }) => sequence)).toEqual([3, 4]);
        expect(await bus.append(subject, 'more', { ...write(), expected: 4 })).toMatchObject({ done: true, revision: 5 });
        await expect(bus.trimStream('LOG_missing', 2)).rejects.toMatchObject({ code: 'no-bucket' });
      });

      test('that is missing has no identity and no records', async () => {
        expect(await bus.streamState('LOG_missing')).toBeUndefined();
        await expect(all(bus.records('LOG_missing', 1))).rejects.toMatchObject({ code: 'no-bucket' });
      });

      test('made anew is another, and refuses what the former one would take', async () => {
        const { stream, subject } = await streamOf();
        await bus.append(subject, 'a', { ...write(), expected: 0 });
        const before = await bus.streamState(stream);
        await under.destroyStream(stream);
        await bus.createStream(stream, subject);
        expect((await bus.streamState(stream))?.created).not.toBe(before?.created);
        expect(await bus.append(subject, 'b', { ...write(), expected: 1 })).toMatchObject({ done: false, because: 'other-revision' });
      });
    });

    describe('request and reply', () => {
      const endpoint = (subject: string, handle: Endpoint['handle']): Endpoint => ({
        name: 'verb',
        subject,
        metadata: { says: 'x' },
        handle,
      });
      const serve = (...endpoints: Endpoint[]) => bus.serve({ name: 'seat', version: '1.0.0', description: 'a seat', endpoints });

      test('answers, and tells the handler which subject was called', async () => {
        const stop = await serve(endpoint('t1.raise.*', async (text, subject) => ({ ok: true, text: `${subject} ${text}` })));
        expect(await bus.request('t1.raise.seat', '{"a":"ü"}', 5_000)).toEqual({ ok: true, text: 't1.raise.seat {"a":"ü"}' });
        await stop();
      });

      test('carries a refusal with its code, in one line', async () => {
        const stop = await serve(endpoint('t2.end', async () => ({ ok: false, code: 409, says: 'not open:\n  answered' })));
        expect(await bus.request('t2.end', '{}', 5_000)).toEqual({ ok: false, code: 409, says: 'not open: answered' });
        await stop();
      });

      test('survives a handler that rejects', async () => {
        const stop = await serve(
          endpoint('t3.health', async (text) => (text === '1' ? { ok: true, text: '2' } : Promise.reject(new Error('secret')))),
        );
        const refused = await bus.request('t3.health', '0', 5_000);
        expect(refused).toMatchObject({ ok: false, code: 500, says: expect.not.stringContaining('secret') });
        expect(await bus.request('t3.health', '1', 5_000)).toEqual({ ok: true, text: '2' });
        await stop();
      });

      test('survives a handler that throws before it promises anything, and cuts a refusal that would fill a message', async () => {
        const stop = await serve(
          endpoint('t7.health', (text) => {
            if (text === '0') throw new Error('secret');
            return Promise.resolve({ ok: false, code: 400, says: BIG });
          }),
        );
        expect(await bus.request('t7.health', '0', 5_000)).toMatchObject({
          ok: false,
          code: 500,
          says: expect.not.stringContaining('secret'),
        });
        const cut = await bus.request('t7.health', '1', 5_000);
        expect(cut).toMatchObject({ ok: false, code: 400 });
        expect(!cut.ok && cut.says.length).toBe(4_096);
        await stop();
      });

      test('says so where nobody serves, before and after', async () => {
        await expect(bus.request('t4.health', '{}', 5_000)).rejects.toMatchObject({ code: 'no-responders' });
        const stop = await serve(endpoint('t4.health', async () => ({ ok: true, text: '{}' })));
        await bus.request('t4.health', '{}', 5_000);
        await stop();
        await expect(bus.request('t4.health', '{}', 5_000)).rejects.toMatchObject({ code: 'no-responders' });
      });

      test('gives up on a handler that does not answer', async () => {
        const stop = await serve(endpoint('t5.health', () => new Promise(() => {})));
        await expect(bus.request('t5.health', '{}', 50)).rejects.toMatchObject({ code: 'timeout' });
        await stop();
      });

      test('refuses what is too large, either way', async () => {
        const stop = await serve(endpoint('t6.plans', async () => ({ ok: true, text: BIG })));
        await expect(bus.request('t6.plans', BIG, 5_000)).rejects.toMatchObject({ code: 'too-large' });
        expect(await bus.request('t6.plans', '{}', 5_000)).toMatchObject({ ok: false, code: 500, says: expect.stringContaining('bytes') });
        await stop();
      });
    });
  });
}

async function take(watch: Watch, count: number): Promise<BusEntry[]> {
  const seen: BusEntry[] = [];
  for await (const entry of watch) if (seen.push(entry) === count) break;
  return seen;
}

async function all(records: AsyncIterable<StreamRecord>): Promise<StreamRecord[]> {
  const read: StreamRecord[] = [];
  for await (const record of records) read.push(record);
  return read;
}

function short({ key, revision, text }: BusEntry): string {
  return `${revision} ${key} ${text ?? 'deleted'}`;
}
