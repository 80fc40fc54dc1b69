import type { AskRecord } from '../bus/contracts/asks.ts';
import type { Place } from '../bus/contracts/common.ts';
import type { Provision } from '../bus/contracts/provisions.ts';
import { keyOf, namesOf } from '../bus/contracts/tokens.ts';
import { consumerOf } from '../machines/candidate.ts';
import { composeNode } from '../machines/compose.ts';
import type { NeededKey, Standing } from '../machines/composed.ts';
import type { EntryFact } from '../machines/facts.ts';
import { askId } from '../machines/key-entry.ts';
import type { NodeContext } from '../machines/node-events.ts';
import { bucketOf, Picture } from '../machines/picture.ts';
import { sayReason } from '../machines/words.ts';

const CREDENTIAL = 'secret-';

/** What stands of a node, as composing needs it. */
export function standingOfNode(context: NodeContext | undefined): Standing {
  const keys = Object.entries(context?.keys ?? {}).map(([key, standing]) => [
    key,
    { ...standing, provided: context?.acknowledged[key] === 'provided' },
  ]);
  return { keys: Object.fromEntries(keys), plans: context?.plans ?? {} };
}

export function providerGone(picture: Picture, provider: Place | undefined): boolean {
  return provider !== undefined && picture.goneSince(provider) !== undefined;
}

/** The highest generation that the bus shows for a key that does not stand (K5). */
export function floorOf(picture: Picture, records: ReadonlyMap<string, AskRecord>, need: NeededKey): number {
  const entry = picture.entries('mesh-provisioner_provisions').get(need.key)?.value as Provision | undefined;
  const outcome = need.provider === undefined ? undefined : picture.outcome(need.provider.module, need.key)?.value;
  let asked = 0;
  while (records.has(askId(need.key, asked + 1))) asked += 1;
  return Math.max(entry?.generation ?? 0, outcome?.generation ?? 0, asked);
}

/**
 * Whether the entries read live would make the key needed or held; says what was found (A5). They are composed in a picture of their own,
 * with what else is on the node: proof for one warrant is no load.
 */
export function foundNeeded(picture: Picture, key: string, entries: readonly EntryFact[]): string | undefined {
  const [node = ''] = namesOf(key) ?? [];
  const live = new Picture();
  for (const bucket of [bucketOf.placement, bucketOf.want, bucketOf.have]) {
    for (const [place] of picture.places.onNode(node)) {
      const known = picture.entries(bucket).get(place);
      if (known !== undefined) live.apply({ type: 'entry', bucket, key: place, ...known }, 0);
    }
  }
  for (const entry of entries) live.apply(entry, 0);
  const { needs, consumers } = composeNode(live, node, { keys: {}, plans: {} }, 0, 0);
  const need = keysThatNeed(key)
    .map((needing) => needs[needing])
    .find((found) => found !== undefined);
  const hold = consumers[consumerOf(key)]?.hold;
  if (need !== undefined) return `${consumerOf(key)} needs it at build ${need.builds.join(', ')}`;
  return hold === undefined ? undefined : `${consumerOf(key)} is held: ${sayReason(hold)}`;
}

/** The key itself, and the one that depends on it where it may be a credential: who provides that is not read live (C6). */
function keysThatNeed(key: string): readonly string[] {
  const [node = '', module = '', provision = '', ...local] = namesOf(key) ?? [];
  return provision.startsWith(CREDENTIAL) ? [key, keyOf(node, module, provision.slice(CREDENTIAL.length), ...local)] : [key];
}
