import type { Place } from '../bus/contracts/common.ts';
import type { Composition } from '../bus/contracts/compositions.ts';
import { keyOf } from '../bus/contracts/tokens.ts';
import type { Consumer } from './composed.ts';
import { evidenceOf, order } from './evidence.ts';
import { bucketOf, type Picture } from './picture.ts';
import type { Builds } from './places.ts';
import type { HoldReason } from './reasons.ts';

/** A module considered on a node, with every composition of its builds that can be read: the wanted one first, then the running, then the newest (C2). */
export interface Considered {
  readonly key: string;
  readonly place: Place;
  readonly builds: Builds;
  readonly compositions: ReadonlyMap<string, Composition>;
  readonly consumer: Consumer;
}

/** Every module placed, wanted or had on a node, by name (C1). */
export function consideredOn(picture: Picture, node: string): readonly Considered[] {
  const places = picture.places.onNode(node).sort(([one], [other]) => order(one, other));
  const alike = new Map<string, string[]>();
  for (const [, { module }] of places) alike.set(module.toLowerCase(), [...(alike.get(module.toLowerCase()) ?? []), module]);
  return places.map(([key, place]) => {
    const clash = alike.get(place.module.toLowerCase())?.find((other) => other !== place.module);
    return considered(picture, key, place, clash);
  });
}

function considered(picture: Picture, key: string, place: Place, clash: string | undefined): Considered {
  const builds = picture.places.builds(key);
  const named = [...new Set([builds.wanted, builds.running, builds.newest].filter((build) => build !== undefined))];
  const compositions = new Map<string, Composition>();
  for (const build of named) {
    const composition = picture.entry('composition', keyOf(place.module, build))?.value;
    if (composition !== undefined) compositions.set(build, composition);
  }
  const entries = entriesOf(key, place.module, named);
  const hold =
    unreadable(picture, entries) ??
    (clash === undefined ? undefined : ({ because: 'names-clash', other: clash } as const)) ??
    notWhole(picture, place.module, named, compositions);
  const consumer: Consumer = {
    module: place.module,
    placed: picture.entry('placement', key) !== undefined,
    ...builds,
    ...(hold && { hold }),
    evidence: evidenceOf(...entries.map(([bucket, key]) => picture.evidence(bucket, key))),
  };
  return { key, place, builds, compositions, consumer };
}

function entriesOf(key: string, module: string, builds: readonly string[]): readonly (readonly [bucket: string, key: string])[] {
  return [
    [bucketOf.placement, key],
    [bucketOf.want, key],
    [bucketOf.have, key],
    [bucketOf.indexed, keyOf(module)],
    ...builds.map((build) => [bucketOf.composition, keyOf(module, build)] as const),
  ];
}

/** The first of a module's entries that is there and cannot be read (P6). */
function unreadable(picture: Picture, entries: readonly (readonly [bucket: string, key: string])[]): HoldReason | undefined {
  for (const [bucket, key] of entries) {
    const entry = picture.entries(bucket).get(key);
    if (entry?.unreadable !== undefined) return { because: 'unreadable', bucket, key, revision: entry.revision, ...entry.unreadable };
  }
  return undefined;
}

/** The indexer names no build, or compositions of the builds are not published: none of them, or some (C3, C4). */
function notWhole(
  picture: Picture,
  module: string,
  builds: readonly string[],
  compositions: ReadonlyMap<string, Composition>,
): HoldReason | undefined {
  const indexed = picture.entry('indexed', keyOf(module))?.value;
  if (indexed?.newest === undefined && !indexed?.builds?.length) return { because: 'no-build', module };
  if (compositions.size === 0) return { because: 'unread', module, builds };
  const unpublished = builds.filter((build) => !compositions.has(build));
  return unpublished.length === 0 ? undefined : { because: 'unpublished', module, builds: unpublished };
}
