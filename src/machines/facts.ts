import type { Read } from '../bus/contracts/buckets.ts';
import type { Verb } from '../bus/contracts/verbs.ts';

/** Why an entry that is there cannot be read (P6): the first field that does not fit, and what was expected. */
export interface Unreadable {
  readonly field: string;
  readonly says: string;
}

/** An entry as its bucket holds it now. Neither `value` nor `unreadable`: it was deleted. */
export interface EntryFact {
  readonly type: 'entry';
  readonly bucket: string;
  readonly key: string;
  readonly revision: number;
  readonly value?: unknown;
  readonly unreadable?: Unreadable;
}

/** One stream as a proved load found it: how many live entries it held. */
export interface LoadedStream {
  readonly bucket: string;
  readonly created: string;
  readonly entries: number;
}

/**
 * Everything the seat acts on. A record of the journal is a list of these with one time; nothing else ever reaches the machines.
 * Entries of an image come before the `loaded` that closes it, and a read that is not loaded opens no gate, so an image may span records.
 */
export type Fact =
  | EntryFact
  /** A key outside its bucket's shape: said, never dropped quietly (P6). */
  | { readonly type: 'out-of-shape'; readonly bucket: string; readonly key: string; readonly says: string }
  | { readonly type: 'loaded'; readonly read: Read; readonly streams: readonly LoadedStream[] }
  /** A read is not loaded, or no longer, and why (P3, P5). */
  | { readonly type: 'missing'; readonly read: Read; readonly why: string }
  /** The time that an owner asked to be woken at has come. */
  | { readonly type: 'due'; readonly owner: string }
  /** What became of an effect. */
  | { readonly type: 'done'; readonly effect: string; readonly revision?: number }
  | { readonly type: 'refused'; readonly effect: string; readonly code: number; readonly says: string }
  | { readonly type: 'withheld'; readonly effect: string; readonly says: string }
  /** What a live read of the entries behind a key found (A5). */
  | { readonly type: 'proved'; readonly effect: string; readonly entries: readonly EntryFact[] }
  /** A verb that acts, as it was asked; the ticket finds the one who waits for the answer. */
  | { readonly type: 'word'; readonly ticket: string; readonly verb: Verb; readonly request: unknown }
  | { readonly type: 'seat-taken'; readonly instance: string; readonly epoch: number }
  /** The clock jumped or the loop stood still: every read is proved again (P9). */
  | { readonly type: 'slept'; readonly forMs: number };

/** One record of the journal. `at` is the only clock the machines have, in milliseconds since 1970. */
export interface JournalRecord {
  readonly version: 1;
  readonly at: number;
  readonly instance: string;
  readonly epoch: number;
  readonly facts: readonly Fact[];
}
