import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EmbeddedBus } from '../../src/bus/embedded/embedded-bus.ts';
import { compare } from '../../src/mesh/apply.ts';
import type { MeshEntry } from '../../src/mesh/entries.ts';
import { createInputs } from '../../src/mesh/inputs.ts';
import { temporaryFolder } from '../temporary.ts';

const root = temporaryFolder();
const AT = '2026-11-02T22:55:58.000Z';
const LATER = '2026-11-02T23:55:58.000Z';
const WANTS = 'mesh-controller_wants';
const shop: MeshEntry = { bucket: WANTS, key: 'ace.shop', value: { build: 'b1' } };
const wiki: MeshEntry = { bucket: WANTS, key: 'ace.wiki', value: { build: 'b1' } };
const indexed: MeshEntry = { bucket: 'mesh-indexer_modules', key: 'shop', value: { newest: 'b1', builds: ['b1'] } };

let bus: EmbeddedBus;
beforeEach(async () => {
  bus = await EmbeddedBus.open(join(root, randomUUID()));
  await createInputs(bus);
});
afterEach(() => bus.close());

test('what a folder says is put, and a second time there is nothing to do', async () => {
  expect(await apply([shop, indexed])).toEqual(['put ace.shop', 'put shop']);
  expect(await text(WANTS, 'ace.shop')).toEqual({ build: 'b1' });
  expect(await text('mesh-indexer_modules', 'shop')).toEqual({ newest: 'b1', builds: ['b1'], at: AT });
  const before = await bus.identity(WANTS);
  expect(await apply([shop, indexed], LATER)).toEqual([]);
  expect(await bus.identity(WANTS)).toEqual(before);
});

test('nothing is done by comparing alone', async () => {
  await compare(bus, 'small', [shop], randomUUID);
  expect(await bus.get(WANTS, 'ace.shop')).toBeUndefined();
});

test('what changed is changed, and what it published and says no more is deleted', async () => {
  await apply([shop, wiki]);
  expect(await apply([{ ...shop, value: { build: 'b2' } }])).toEqual(['change ace.shop', 'delete ace.wiki']);
  expect(await text(WANTS, 'ace.wiki')).toBeUndefined();
  expect(await apply([shop, wiki])).toEqual(['change ace.shop', 'put ace.wiki']);
});

test('entries of others are never deleted: those it never published, and those that another has written since', async () => {
  await apply([shop, wiki]);
  await bus.put(WANTS, 'ace.other', '{"build":"b1"}', { id: randomUUID(), epoch: 0 });
  await bus.put(WANTS, 'ace.wiki', '{"build":"b7"}', { id: randomUUID(), epoch: 0 });
  expect(await apply([shop])).toEqual([]);
  expect(await text(WANTS, 'ace.wiki')).toEqual({ build: 'b7' });
  expect(await text(WANTS, 'ace.other')).toEqual({ build: 'b1' });
});

test('another mesh on the same bus deletes nothing of this one', async () => {
  await apply([shop, wiki]);
  const { changes } = await compare(bus, 'smaller', [shop], randomUUID);
  expect(changes).toEqual([]);
});

test('an entry that changes between the showing and the doing stops it', async () => {
  const { perform } = await compare(bus, 'small', [shop], randomUUID);
  await bus.put(WANTS, 'ace.shop', '{"build":"b9"}', { id: randomUUID(), epoch: 0 });
  await expect(perform(AT)).rejects.toThrow('mesh-controller_wants ace.shop was changed meanwhile: apply again');
});

test('a bus without the input buckets is named, with what makes them', async () => {
  const empty = await EmbeddedBus.open(join(root, randomUUID()));
  await expect(compare(empty, 'small', [shop], randomUUID)).rejects.toThrow(
    /no such bucket on .*: mesh-placement_modules, .*serve --create-inputs/s,
  );
  await empty.close();
});

async function apply(entries: readonly MeshEntry[], at = AT): Promise<string[]> {
  const { changes, perform } = await compare(bus, 'small', entries, randomUUID);
  await perform(at);
  return changes.map((change) => `${change.do} ${change.key}`);
}

async function text(bucket: string, key: string): Promise<unknown> {
  const entry = await bus.get(bucket, key);
  return entry?.text === undefined ? undefined : JSON.parse(entry.text);
}
