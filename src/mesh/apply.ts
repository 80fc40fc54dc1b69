import { createHash } from 'node:crypto';
import { z } from 'zod';
import { inputBuckets } from '../bus/contracts/buckets.ts';
import { keyOf, namesOf } from '../bus/contracts/tokens.ts';
import type { Bus, BusEntry } from '../bus/port.ts';
import { Failure } from '../failure.ts';
import type { MeshEntry } from './entries.ts';
import { missingInputs } from './inputs.ts';
import { inParallel, write } from './write.ts';

/** What a folder published is remembered here, an entry each: `<mesh>.<bucket>.<key's tokens>` with the digest of what was written. */
const PUBLISHED = 'mesh-provisioner-apply_published';
const Published = z.object({ digest: z.string() });

/** One step of publishing a folder, as people are shown it before it is done. */
export const Change = z.object({ do: z.enum(['put', 'change', 'delete']), bucket: z.string(), key: z.string() }).readonly();
export type Change = z.infer<typeof Change>;

interface Step extends Change {
  readonly expected: number;
}

/** A folder compared with the bus: what would change, and how to make it so. */
export interface Comparison {
  readonly changes: readonly Change[];
  perform(at: string): Promise<void>;
}

/**
 * Compares what a folder says with what the bus holds. Deleted is only what this mesh published before, says no more, and nobody else has
 * written since; entries of others are never touched. `newId` makes one id a write.
 */
export async function compare(bus: Bus, mesh: string, entries: readonly MeshEntry[], newId: () => string): Promise<Comparison> {
  const missing = await missingInputs(bus);
  if (missing.length > 0) {
    throw new Failure(
      'failed',
      `no such bucket on ${bus.where}: ${missing.join(', ')}\nmake them with: mesh-provisioner serve --create-inputs`,
    );
  }
  await bus.createBucket(PUBLISHED, { history: 1 });
  const published = await publishedBy(bus, mesh);
  const wanted = new Set(entries.map(addressOf));
  const puts = await inParallel(entries, (entry) => putStep(bus, entry));
  const gone = [...published.values()].filter((entry) => !wanted.has(addressOf(entry))).sort(dependentsFirst);
  const deletes = await inParallel(gone, (entry) => deleteStep(bus, entry));
  const steps = [...puts, ...deletes].filter((step) => step !== undefined);
  return {
    changes: steps.map(({ do: what, bucket, key }) => ({ do: what, bucket, key })),
    perform: async (at) => {
      const texts = new Map(entries.map((entry) => [addressOf(entry), textOf(entry, at)]));
      const changed = entries.filter((entry) => published.get(addressOf(entry))?.digest !== digestOf(entry.value));
      await inParallel(changed, (entry) => remember(bus, mesh, entry, newId));
      for (const step of steps) await write(bus, step.bucket, step.key, texts.get(addressOf(step)), step.expected, newId());
      for (const entry of gone) await forget(bus, mesh, entry, newId);
    },
  };
}

async function putStep(bus: Bus, entry: MeshEntry): Promise<Step | undefined> {
  const there = await bus.get(entry.bucket, entry.key);
  if (there?.text !== undefined && digestOf(withoutTime(there.text)) === digestOf(entry.value)) return undefined;
  const what = there?.text === undefined ? 'put' : 'change';
  return { do: what, bucket: entry.bucket, key: entry.key, expected: there?.revision ?? 0 };
}

async function deleteStep(bus: Bus, entry: PublishedEntry): Promise<Step | undefined> {
  const there = await bus.get(entry.bucket, entry.key);
  if (there?.text === undefined || digestOf(withoutTime(there.text)) !== entry.digest) return undefined;
  return { do: 'delete', bucket: entry.bucket, key: entry.key, expected: there.revision };
}

interface PublishedEntry {
  readonly bucket: string;
  readonly key: string;
  readonly digest: string;
}

async function publishedBy(bus: Bus, mesh: string): Promise<Map<string, PublishedEntry>> {
  const own = [...(await bus.subjects(PUBLISHED))].filter((key) => key.startsWith(`${keyOf(mesh)}.`));
  const read = await inParallel(own, async (key) => publishedEntry(await bus.get(PUBLISHED, key)));
  return new Map(read.filter((entry) => entry !== undefined).map((entry) => [addressOf(entry), entry]));
}

function publishedEntry(entry: BusEntry | undefined): PublishedEntry | undefined {
  const [, bucket, ...tokens] = namesOf(entry?.key ?? '') ?? [];
  if (entry?.text === undefined || bucket === undefined) return undefined;
  return { bucket, key: keyOf(...tokens), digest: Published.parse(JSON.parse(entry.text)).digest };
}

async function remember(bus: Bus, mesh: string, entry: MeshEntry, newId: () => string): Promise<void> {
  const key = markerOf(mesh, entry);
  const text = JSON.stringify({ digest: digestOf(entry.value) } satisfies z.infer<typeof Published>);
  await write(bus, PUBLISHED, key, text, (await bus.get(PUBLISHED, key))?.revision ?? 0, newId());
}

async function forget(bus: Bus, mesh: string, entry: PublishedEntry, newId: () => string): Promise<void> {
  const key = markerOf(mesh, entry);
  await write(bus, PUBLISHED, key, undefined, (await bus.get(PUBLISHED, key))?.revision ?? 0, newId());
}

/** A want goes before what it names: a module is never seen wanted with nothing published of it. */
function dependentsFirst(a: PublishedEntry, b: PublishedEntry): number {
  const order: readonly string[] = inputBuckets;
  return order.indexOf(a.bucket) - order.indexOf(b.bucket);
}

function markerOf(mesh: string, entry: { bucket: string; key: string }): string {
  return `${keyOf(mesh, entry.bucket)}.${entry.key}`;
}

function addressOf(entry: { bucket: string; key: string }): string {
  return `${entry.bucket} ${entry.key}`;
}

function textOf(entry: MeshEntry, at: string): string {
  return JSON.stringify(entry.bucket === 'mesh-indexer_modules' ? { ...entry.value, at } : entry.value);
}

/** What an entry says, but for when. `undefined` where it is no JSON object. */
function withoutTime(text: string): unknown {
  try {
    const { at: _, ...value } = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value, sorted) ?? '')
    .digest('hex');
}

function sorted(_: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
