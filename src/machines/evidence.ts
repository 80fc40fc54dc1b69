import type { Evidence } from '../bus/contracts/common.ts';

/** Several lists of evidence as one: by bucket and key, each entry once (K8). */
export function evidenceOf(...lists: readonly (readonly Evidence[])[]): readonly Evidence[] {
  const sorted = lists.flat().sort((one, other) => order(one.bucket, other.bucket) || order(one.key, other.key));
  return sorted.filter(({ bucket, key }, at) => bucket !== sorted[at - 1]?.bucket || key !== sorted[at - 1]?.key);
}

/** Compares text by its code units: the one order of everything that is written, whatever the locale. */
export function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** A record of these entries in the order of their names. */
export function sortedRecord<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  return Object.fromEntries([...entries].sort(([one], [other]) => order(one, other)));
}
