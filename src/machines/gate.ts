import type { Read } from '../bus/contracts/buckets.ts';
import { type Images, isAnySuspect } from './images.ts';

/** A read that is not loaded, since when and why (P5). */
export interface Missing {
  readonly since: number;
  readonly why: string;
  /** What was said first: the loss itself, where `why` says how far the read is. */
  readonly lost: string;
}

export type MissingReads = Readonly<Record<string, Missing>>;

/** The reads that stand before any pass, in the order in which they are listed to people (P1). */
export const BEFORE_ANY_PASS = ['placement', 'wants', 'haves', 'modules', 'compositions', 'provisions'] as const satisfies readonly Read[];
/** And the router's asks, which hold back nothing but asks. */
export const WATCHED_READS = [...BEFORE_ANY_PASS, 'asks'] as const satisfies readonly Read[];

/** A read that has been missing for so long is a fault; it never opens anything (P4). */
export const READ_LATE_MS = 30_000;

export const NOT_LOADED_YET = 'not loaded yet';

export function isWatched(read: Read): boolean {
  return (WATCHED_READS as readonly Read[]).includes(read);
}

export function allMissing(at: number, why = NOT_LOADED_YET): MissingReads {
  return Object.fromEntries(WATCHED_READS.map((read) => [read, { since: at, why, lost: why }]));
}

/** Every read that stands before a pass is loaded, and none brought too little (P1, P7). */
export function isPictureWhole({ reads, images }: { readonly reads: MissingReads; readonly images: Images }): boolean {
  return BEFORE_ANY_PASS.every((read) => reads[read] === undefined) && !isAnySuspect(images);
}

/** A read that was missing already is missing since then, for the reason that was said last. */
export function withMissing(reads: MissingReads, read: Read, at: number, why: string): MissingReads {
  return { ...reads, [read]: { since: reads[read]?.since ?? at, why, lost: reads[read]?.lost ?? why } };
}

export function withLoaded(reads: MissingReads, read: Read): MissingReads {
  const { [read]: _loaded, ...missing } = reads;
  return missing;
}
