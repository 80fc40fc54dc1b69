import type { Evidence } from '../bus/contracts/common.ts';

/** Several lists of evidence, each in order, as one: by bucket and key, each entry once (K8). */
export function evidenceOf(...lists: readonly (readonly Evidence[])[]): readonly Evidence[] {
  return lists.reduce(merged, []);
}

/** Compares text by its code units: the one order of everything that is written, whatever the locale. */
export function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** A record of these entries in the order of their names. */
export function sortedRecord<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  return Object.fromEntries([...entries].sort(([one], [other]) => order(one, other)));
}

function merged(one: readonly Evidence[], other: readonly Evidence[]): readonly Evidence[] {
  if (other.length === 0) return one;
  if (one.length === 0) return other;
  const both: Evidence[] = [];
  for (let [at, from] = [0, 0]; at < one.length || from < other.length; ) {
    const [left, right] = [one[at], other[from]];
    const sooner = left === undefined ? 1 : right === undefined ? -1 : order(left.bucket, right.bucket) || order(left.key, right.key);
    both.push(sooner <= 0 ? left! : right!);
    if (sooner <= 0) at += 1;
    if (sooner >= 0) from += 1;
  }
  return both;
}
