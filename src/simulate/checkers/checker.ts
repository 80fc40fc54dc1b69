import type { Health } from '../../bus/contracts/verbs.ts';
import type { Applied, Ledger, Sent } from '../ledger.ts';
import type { Truth } from '../truth.ts';

/** What a checker may look at. */
export interface Seen {
  /** Milliseconds since the run began. */
  now(): number;
  readonly ledger: Ledger;
  readonly truth: Truth;
  /** What a process with a seat says of itself. */
  health(process: string): Health | undefined;
  /** The word of an operator that lets a flood through: what was said for whom, and when. */
  readonly words: readonly { readonly at: number; readonly node: string }[];
  readonly settings: { readonly dwellMs: number; readonly brakeWindowMs: number; readonly wordMs: number; readonly asksOpenMax: number };
}

/** Watches one promise all the time, and throws {@link Broken} where it is not kept. */
export interface Checker {
  readonly promise: string;
  applied?(write: Applied, seen: Seen): void;
  sent?(sent: Sent, by: string, seen: Seen): void;
  /** Once nothing has gone wrong for a while, before the operator answers whatever is asked. */
  calmed?(seen: Seen): void;
  /** Once the mesh is whole and still. */
  ended?(seen: Seen): void;
}

/** A promise that was not kept. */
export class Broken extends Error {
  override readonly name = 'Broken';
  constructor(
    readonly promise: string,
    readonly says: string,
  ) {
    super(`${promise}: ${says}`);
  }
}
