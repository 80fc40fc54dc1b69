import type { Logger } from 'pino';
import type { Clock } from '../bus/clock.ts';
import type { Journal } from '../bus/journal.ts';
import { BusError } from '../bus/port.ts';
import { type JournalLimits, trimJournal } from './journal-limits.ts';
import type { SnapshotWriter } from './snapshot-writer.ts';

export interface SnapshotRoundsParts {
  readonly clock: Clock;
  /** The time of day, which the journal's records have. */
  readonly dayTime: () => number;
  readonly journal: Journal;
  readonly writer: SnapshotWriter;
  readonly settings: JournalLimits & { readonly snapshotMs: number };
  readonly log: Logger;
}

/** A snapshot now and then where anything happened, and the journal trimmed behind it. Returns how to stop. */
export function keepSnapshots(parts: SnapshotRoundsParts): () => Promise<void> {
  const { clock, dayTime, journal, writer, settings, log } = parts;
  let round = Promise.resolve();
  let cancel = () => {};
  let isOver = false;
  const keep = async () => {
    try {
      if (journal.head > writer.seq) await writer.write();
      if (!isOver) await trimJournal(journal, settings, writer.neededFrom, dayTime());
    } catch (error) {
      if (!(error instanceof BusError)) throw error;
      log.warn({ error }, 'no snapshot could be kept; the journal stays as long as it is');
    }
    if (!isOver) later();
  };
  const later = () => {
    cancel = clock.after(settings.snapshotMs, () => {
      round = keep();
    });
  };
  later();
  return async () => {
    isOver = true;
    cancel();
    await round;
  };
}
