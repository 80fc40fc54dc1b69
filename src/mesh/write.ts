import type { Bus } from '../bus/port.ts';
import { Failure } from '../failure.ts';

const TRIES_MAX = 5;
const PARALLEL_MAX = 64;

/** Writes one entry, or deletes it where `text` is absent. The same bytes go again with the same id until the outcome is known. */
export async function write(bus: Bus, bucket: string, key: string, text: string | undefined, expected: number, id: string): Promise<void> {
  const how = { id, epoch: 0, expected };
  let says = '';
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const result = text === undefined ? await bus.delete(bucket, key, how) : await bus.put(bucket, key, text, how);
    if (result.done) return;
    says = result.says;
    if (result.because === 'other-revision') throw new Failure('failed', `${bucket} ${key} was changed meanwhile: apply again`);
    if (result.because === 'refused') break;
  }
  throw new Failure('failed', `${bucket} ${key} could not be written: ${says}`);
}

/** Maps in order, with so many under way at once. */
export async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += PARALLEL_MAX) {
    results.push(...(await Promise.all(items.slice(from, from + PARALLEL_MAX).map(work))));
  }
  return results;
}
