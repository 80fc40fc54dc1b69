import type { Outcome } from '../../src/bus/contracts/bound.ts';
import { bucketsOf, type Read } from '../../src/bus/contracts/buckets.ts';
import type { Composition, Fill, Need, Offer } from '../../src/bus/contracts/compositions.ts';
import type { Have } from '../../src/bus/contracts/haves.ts';
import type { Machine, Placement } from '../../src/bus/contracts/placement.ts';
import { boundBucket } from '../../src/bus/contracts/tokens.ts';
import { composeNode } from '../../src/machines/compose.ts';
import type { Composed, Standing, StandingKey } from '../../src/machines/composed.ts';
import type { EntryFact, LoadedStream } from '../../src/machines/facts.ts';
import { bucketOf, Picture } from '../../src/machines/picture.ts';

export const DWELL_MS = 60_000;
const SOME_TIME = '2026-11-02T22:55:58.000Z';

export const placed = (key: string, placement: Placement = {}): EntryFact => entry(bucketOf.placement, key, placement);
export const machine = (node: string, value: Machine): EntryFact => entry(bucketOf.machine, node, value);
export const seat = (name: string, node: string, module: string): EntryFact => entry(bucketOf.seat, name, { node, module });
export const wanted = (key: string, build: string): EntryFact => entry(bucketOf.want, key, { build });
export const had = (key: string, build: string, state: Have['state'] = 'healthy', why?: string): EntryFact =>
  entry(bucketOf.have, key, { build, state, at: SOME_TIME, ...(why !== undefined && { why }) });
export const indexed = (module: string, newest?: string, builds?: string[]): EntryFact =>
  entry(bucketOf.indexed, module, { at: SOME_TIME, ...(newest !== undefined && { newest }), ...(builds && { builds }) });
export const published = (key: string, composition: Partial<Composition> = {}): EntryFact =>
  entry(bucketOf.composition, key, { needs: [], offers: [], contributes: [], fills: [], ...composition });
export const outcome = (provider: string, key: string, value: Partial<Outcome> = {}): EntryFact =>
  entry(boundBucket(provider), key, { state: 'provided', generation: 1, at: SOME_TIME, ...value });

/** Placed, wanted and healthy at one build. */
export const runs = (key: string, build = 'b1'): EntryFact[] => [placed(key), wanted(key, build), had(key, build)];
/** Indexed with this newest build, whose composition is published. */
export const known = (module: string, composition: Partial<Composition> = {}, build = 'b1'): EntryFact[] => [
  indexed(module, build),
  published(`${module}.${build}`, composition),
];
export const needs = (...all: (string | Need)[]): Pick<Composition, 'needs'> => ({
  needs: all.map((need) => (typeof need === 'string' ? { provision: need } : need)),
});
export const offers = (provision: string, offer: Partial<Offer> = { credential: 'none', bound: true }): Pick<Composition, 'offers'> => ({
  offers: [{ provision, ...offer }],
});
export const fills = (content: string, fill: Partial<Fill> = {}): Pick<Composition, 'fills'> => ({
  fills: [{ path: '/etc/it', content, ...fill }],
});

export const deleted = ({ bucket, key, revision }: EntryFact): EntryFact => ({ type: 'entry', bucket, key, revision: revision + 1 });
export const unreadable = ({ bucket, key }: EntryFact): EntryFact => ({
  type: 'entry',
  bucket,
  key,
  revision: 7,
  unreadable: { field: 'build', says: 'expected a string' },
});
export const at = (revision: number, fact: EntryFact): EntryFact => ({ ...fact, revision });

/** A picture of these entries, whose every read is loaded at the time 0. */
export function given(...facts: (EntryFact | readonly EntryFact[])[]): Picture {
  const picture = new Picture();
  for (const fact of facts.flat()) picture.apply(fact as EntryFact, 0);
  for (const read of ['placement', 'wants', 'haves', 'modules', 'compositions'] as const) load(picture, read);
  for (const module of picture.boundProviders()) load(picture, `bound.${module}`);
  return picture;
}

export function load(picture: Picture, read: Read, created = 'first', at = 0) {
  const streams: LoadedStream[] = bucketsOf(read).map((bucket) => ({ bucket, created, entries: picture.entries(bucket).size }));
  return picture.applyLoaded({ type: 'loaded', read, streams }, at);
}

export function standing(keys: Readonly<Record<string, Partial<StandingKey>>> = {}, plans: readonly string[] = []): Standing {
  const whole = Object.entries(keys).map(([key, kept]) => [key, { generation: 1, provided: true, dependsOn: [], with: {}, ...kept }]);
  return { keys: Object.fromEntries(whole), plans: Object.fromEntries(plans.map((key) => [key, {}])) };
}

export function composed(picture: Picture, node = 'n1', stands: Standing = standing(), at = 0): Composed {
  return composeNode(picture, node, stands, at, DWELL_MS);
}

function entry(bucket: string, key: string, value: unknown): EntryFact {
  return { type: 'entry', bucket, key, revision: 1, value };
}
