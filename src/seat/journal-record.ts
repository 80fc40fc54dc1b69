import type { JournalRecord } from '../machines/facts.ts';

/** A record of the journal from its text; `undefined` where the text is none: it was not the seat that wrote it. */
export function recordIn(text: string): JournalRecord | undefined {
  try {
    const record = JSON.parse(text) as JournalRecord;
    return record.version === 1 && Array.isArray(record.facts) && Number.isFinite(record.at) ? record : undefined;
  } catch {
    return undefined;
  }
}
