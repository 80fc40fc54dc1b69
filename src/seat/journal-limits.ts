import type { Journal } from '../bus/journal.ts';
import { recordIn } from './journal-record.ts';

export interface JournalLimits {
  readonly journalAgeMs: number;
  readonly journalBytes: number;
}

/**
 * Trims the journal to its limits, but never of a record that a snapshot still needs. Throws `BusError` where it cannot be trimmed.
 *
 * @param neededFrom the first record that must stay
 * @param now the time of day, in milliseconds since 1970
 */
export async function trimJournal(journal: Journal, limits: JournalLimits, neededFrom: number, now: number): Promise<void> {
  const { firstSequence, lastSequence, bytes } = await journal.state();
  const count = lastSequence - firstSequence + 1;
  if (count <= 0 || firstSequence >= neededFrom) return;
  const tooMany = Math.ceil(count * Math.max(0, 1 - limits.journalBytes / bytes));
  const youngFrom = await firstSince(journal, firstSequence, neededFrom, now - limits.journalAgeMs);
  const before = Math.min(neededFrom, Math.max(firstSequence + tooMany, youngFrom));
  if (before > firstSequence) await journal.trim(before);
}

/** The first record of a range that is not older than a time; the range's end where all are. */
async function firstSince(journal: Journal, from: number, end: number, since: number): Promise<number> {
  let [low, high] = [from, end];
  for (let probe = from; low < high; probe = Math.floor((low + high) / 2)) {
    const record = await journal.recordFrom(probe);
    const at = record === undefined ? undefined : recordIn(record.text)?.at;
    if (at === undefined || at >= since) high = probe;
    else low = probe + 1;
  }
  return low;
}
