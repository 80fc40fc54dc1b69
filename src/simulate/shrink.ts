/**
 * The shortest part of a list that it finds which still fails: halves, quarters and so on are left out as long as what is left fails.
 *
 * @param triesMax how often `fails` is asked at most
 */
export async function shortest<T>(
  list: readonly T[],
  fails: (part: readonly T[]) => Promise<boolean>,
  triesMax: number,
): Promise<readonly T[]> {
  let left = list;
  let tries = 0;
  for (let size = Math.ceil(left.length / 2); size >= 1 && left.length > 0; ) {
    const before = left;
    for (let from = 0; from < left.length && tries < triesMax; ) {
      const without = [...left.slice(0, from), ...left.slice(from + size)];
      tries += 1;
      if (await fails(without)) left = without;
      else from += size;
    }
    if (tries >= triesMax || (size === 1 && left === before)) break;
    if (left === before) size = Math.ceil(size / 2);
    else size = Math.min(size, Math.ceil(left.length / 2));
  }
  return left;
}
