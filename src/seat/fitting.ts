import { TEXT_BYTES_MAX } from '../bus/limits.ts';
import type { Fact } from '../machines/facts.ts';

/** One fact fits one record of the journal beside the record's own fields. */
const FACT_BYTES_MAX = TEXT_BYTES_MAX - 4_096;

/** The fact as the journal can take it: one that is too large says so instead, as unreadable (P6) or as a proof that failed. */
export function fitting(fact: Fact): { readonly fact: Fact; readonly text: string; readonly bytes: number } {
  const text = JSON.stringify(fact);
  const bytes = Buffer.byteLength(text);
  if (bytes <= FACT_BYTES_MAX) return { fact, text, bytes };
  const says = `expected at most ${FACT_BYTES_MAX} bytes in the journal, found ${bytes}`;
  switch (fact.type) {
    case 'entry': {
      const { type, bucket, key, revision } = fact;
      return fitting({ type, bucket, key, revision, unreadable: { field: '', says } });
    }
    case 'proved':
      return fitting({ type: 'refused', effect: fact.effect, code: 413, says });
    default:
      throw new RangeError(`a ${fact.type} is too large: ${says}`);
  }
}
