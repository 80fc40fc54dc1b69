import type { AskRecord } from '../bus/contracts/asks.ts';
import type { Place } from '../bus/contracts/common.ts';
import type { Provision } from '../bus/contracts/provisions.ts';
import type { Composed, NeededKey, Standing } from '../machines/composed.ts';
import type { EntryFact } from '../machines/facts.ts';
import { consumerOf } from '../machines/judge.ts';
import { askId } from '../machines/key-entry.ts';
import type { NodeContext } from '../machines/node-events.ts';
import type { Picture } from '../machines/picture.ts';

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
 * Whether the entries read live would make the key needed or held; says what was found (A5). The picture is as before afterwards: what was
 * read live is proof for one warrant, not a load.
 */
export function foundNeeded(
  picture: Picture,
  key: string,
  entries: readonly EntryFact[],
  at: number,
  compose: () => Composed,
): string | undefined {
  const before = entries.map(({ bucket, key: entry }): EntryFact => {
    const known = picture.entries(bucket).get(entry);
    return { type: 'entry', bucket, key: entry, revision: 0, ...known };
  });
  for (const entry of entries) picture.apply(entry, at);
  const composed = compose();
  for (const entry of before) picture.apply(entry, at);
  compose();
  const consumer = composed.consumers[consumerOf(key)];
  if (composed.needs[key] !== undefined) return `${key} is needed by ${consumerOf(key)} at build ${composed.needs[key].builds.join(', ')}`;
  if (consumer?.hold !== undefined) return `${consumerOf(key)} is held: ${consumer.hold.because}`;
  return undefined;
}
