import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Bus } from '../../src/bus/port.ts';
import { SNAPSHOT_VERSION } from '../../src/kernel/piece.ts';
import { trimJournal } from '../../src/seat/journal-limits.ts';
import { adapters, type BusUnderTest } from '../bus/buses.ts';
import { remove } from '../kernel/stories-mesh.ts';
import { everyPiece, Journalled, stateOf, writing } from './journalled.ts';

const SNAPSHOTS = 'mesh-provisioner_snapshots';
const VERSION = `"version":${SNAPSHOT_VERSION}`;
const JOURNAL = 'LOG_mesh-provisioner_journal';

describe.each(adapters)('snapshots on the $name bus', ({ make }) => {
  let under: BusUnderTest;
  let bus: Bus;
  let seat: Journalled;
  beforeEach(async () => {
    under = await make();
    bus = under.bus;
    seat = await Journalled.on(bus);
  });
  afterEach(() => under.end());

  /** A snapshot whose supervisor's entry is spoiled as it is written. */
  const spoiled = async (from: string | RegExp, to: string) => {
    const spoil = (text: string) => {
      expect(text).toMatch(from);
      return text.replace(from, to);
    };
    await seat.writer(writing(bus, (key, text) => (key === 'supervisor' ? spoil(text) : text))).write();
  };
  const live = () => stateOf(seat.mesh.kernel);

  test('and the rest of the journal are where the seat goes on (E2)', async () => {
    await seat.writer().write();
    const { seq, version, owed, pieces } = JSON.parse((await bus.get(SNAPSHOTS, 'supervisor'))!.text!);
    expect({ seq, version, owed }).toEqual({ seq: seat.journal.head, version: SNAPSHOT_VERSION, owed: [] });
    expect(Object.keys(pieces)).toEqual(expect.arrayContaining(['node.n1', 'module.blog']));
    await seat.after((mesh) => remove(mesh, 'n1', 'git'));
    await bus.trimStream(JOURNAL, seq + 1);
    const next = await seat.next();
    expect(stateOf(next.kernel)).toBe(live());
    expect({ at: next.at, epoch: next.epoch, head: next.journal.head }).toEqual({ at: seat.mesh.now, epoch: 1, head: seat.journal.head });
    expect(seat.lines).toEqual([]);
  });

  test('are written piece by piece where they changed, and every snapshot names one revision of each', async () => {
    const writer = seat.writer();
    await writer.write();
    const before = JSON.parse((await bus.get(SNAPSHOTS, 'supervisor'))!.text!).pieces;
    await seat.after((mesh) => mesh.put('mesh-controller_wants', 'n2.blog', { build: 'b0' }));
    await writer.write();
    const after = JSON.parse((await bus.get(SNAPSHOTS, 'supervisor'))!.text!).pieces;
    expect(Object.keys(after).filter((key) => after[key] !== before[key])).toEqual(['node.n2']);
    expect(stateOf((await seat.next()).kernel)).toBe(live());
    await seat.after((mesh) => {
      mesh.delete('mesh-indexer_modules', 'dns');
      mesh.delete('mesh-indexer_compositions', 'dns.b1');
    });
    await writer.write();
    expect((await bus.get(SNAPSHOTS, 'module.dns'))?.text).toBeUndefined();
    expect(stateOf((await seat.next()).kernel)).toBe(live());
  });

  test.each([
    ['of another version', VERSION, '"version":0', /is of version 0, this seat writes version \d+$/],
    ['that is no JSON', /^.*$/, '{"deflate":"AAAA"}', /cannot be read: /],
    ['out of shape', '"pieces":{', '"pieces":7,"was":{', /pieces does not fit$/],
    ['of a state that no machine has', '"value":"judging"', '"value":"dreaming"', /supervisor: it has no state "dreaming"$/],
    ['whose piece is gone', /"node.n1":\d+/, '"node.n1":9999', /piece node.n1 is no longer there at revision 9999$/],
    ['of another journal', /"journal":"/, '"journal":"other ', /is of another journal$/],
    ['of another record', /"record":"r/, '"record":"s', /record \d+ is not the one it was made at$/],
  ])('%s is set aside and said, and the whole journal is folded', async (_, from, to, says) => {
    await spoiled(from, to);
    const next = await seat.next();
    expect(seat.lines[0]).toMatch(says);
    expect(stateOf(next.kernel)).toBe(live());
  });

  test('that cannot be used gives way to an earlier one, where the journal no longer begins at its beginning', async () => {
    const writer = seat.writer();
    await writer.write();
    await bus.trimStream(JOURNAL, writer.neededFrom);
    await seat.after((mesh) => remove(mesh, 'n1', 'git'));
    await spoiled(VERSION, '"version":0');
    expect(stateOf((await seat.next()).kernel)).toBe(live());
    expect(seat.lines).toHaveLength(1);
    await bus.trimStream(JOURNAL, seat.journal.head);
    await seat.next();
    expect(seat.lines.at(-2)).toMatch(/ is set aside: it needs the journal from record \d+ on, which begins at \d+$/);
  });

  test('are not taken for written where their ids were used before', async () => {
    await seat.writer(bus, 1).write();
    await seat.after((mesh) => remove(mesh, 'n1', 'git'));
    for (const name of everyPiece(seat.mesh.kernel)) seat.mesh.kernel.memory.changed.add(name);
    await seat.writer(bus, 1).write();
    await bus.trimStream(JOURNAL, seat.journal.head);
    expect(stateOf((await seat.next()).kernel)).toBe(live());
  });

  test('of which none can be used leave what stands to the live buckets, in a snapshot of their own (S61)', async () => {
    await spoiled(VERSION, '"version":0');
    await bus.trimStream(JOURNAL, seat.journal.head);
    const next = await seat.next();
    expect(seat.lines.at(-1)).toMatch(
      /^the journal begins at record \d+ and no snapshot can be used: what stands is taken up from the live/,
    );
    expect({ isRebased: next.isRebased, head: next.journal.head, nodes: next.kernel.nodes() }).toEqual({
      isRebased: true,
      head: seat.journal.head,
      nodes: [],
    });
    await next.writer.write();
    expect((await seat.next()).isRebased).toBe(false);
  });

  test('outlive a journal that is lost: the next one goes on from them', async () => {
    await seat.after((mesh) => remove(mesh, 'n1', 'git'));
    await seat.writer().write();
    await under.destroyStream(JOURNAL);
    const next = await seat.next();
    expect(seat.lines).toEqual([expect.stringMatching(/gone on from: the journal it is of is lost, and the records behind \d+ with it$/)]);
    expect(next.kernel.node('n1')?.unneeded).toEqual(seat.mesh.kernel.node('n1')?.unneeded);
    await next.writer.write();
    const after = await seat.next();
    expect({ isRebased: after.isRebased, state: stateOf(after.kernel) }).toEqual({ isRebased: false, state: stateOf(next.kernel) });
  });

  test('outlive a journal that went back behind them', async () => {
    await spoiled(/"seq":\d+/, '"seq":9999');
    const next = await seat.next();
    expect(seat.lines).toEqual([expect.stringMatching(/gone on from: the journal went back from record 9999 to \d+$/)]);
    expect({ isRebased: next.isRebased, head: next.journal.head }).toEqual({ isRebased: true, head: seat.journal.head });
    expect(stateOf(next.kernel)).toBe(live());
  });

  test('are whole or not there: what was written of one before a crash is no part of any', async () => {
    await seat.writer().write();
    await seat.after((mesh) => remove(mesh, 'n1', 'git'));
    const torn = seat.writer(writing(bus, (key, text) => (key === 'supervisor' ? undefined : text)));
    await expect(torn.write()).rejects.toThrow('no room');
    expect(stateOf((await seat.next()).kernel)).toBe(live());
  });

  test('stay, however often another one fails in the middle', async () => {
    let full = '';
    const writer = seat.writer(writing(bus, (key, text) => (key === full ? undefined : text)));
    await writer.write();
    full = 'node.n2';
    for (let round = 0; round < 12; round += 1) {
      await seat.after((mesh) => {
        mesh.put('mesh-controller_wants', 'n2.blog', { build: `b${round}` });
        mesh.put('mesh-controller_wants', 'n1.blog', { build: `b${round}` });
      });
      await expect(writer.write()).rejects.toThrow('no room');
    }
    expect(stateOf((await seat.next()).kernel)).toBe(live());
    expect(seat.lines).toEqual([]);
    full = '';
    await writer.write();
    expect(writer.seq).toBe(seat.journal.head);
    expect(stateOf((await seat.next()).kernel)).toBe(live());
  });

  test('say from where on the journal must stay, and it is trimmed no further', async () => {
    const limits = { journalAgeMs: 60_000, journalBytes: 1_000_000_000 };
    const writer = seat.writer();
    const first = async () => (await bus.streamState(JOURNAL))!.firstSequence;
    const trim = (now: number, more = {}) => trimJournal(seat.journal, { ...limits, ...more }, writer.neededFrom, now);
    await trim(seat.mesh.now + 1e9);
    expect(await first()).toBe(1);
    await writer.write();
    const seq = writer.seq;
    await trim(seat.mesh.now + 59_000);
    expect(await first()).toBe(1);
    await seat.after((mesh) => {
      mesh.pass(100_000);
      remove(mesh, 'n1', 'git');
    });
    await trim(seat.mesh.now);
    expect(await first()).toBe(seq + 1);
    for (let round = 0; round < 6; round += 1) {
      await seat.after((mesh) => mesh.put('mesh-controller_wants', 'n2.blog', { build: `b${round}` }));
      await writer.write();
    }
    const { bytes } = (await bus.streamState(JOURNAL))!;
    await trim(seat.mesh.now, { journalAgeMs: 1e9, journalBytes: bytes - 1 });
    expect(await first()).toBe(seq + 2);
    await trim(seat.mesh.now, { journalAgeMs: 1e9, journalBytes: 1 });
    expect(await first()).toBe(writer.neededFrom);
    await trim(seat.mesh.now + 1e9);
    expect(await first()).toBe(writer.neededFrom);
    expect(writer.seq - writer.neededFrom).toBeGreaterThan(3);
    expect(stateOf((await seat.next()).kernel)).toBe(live());
  });
});
