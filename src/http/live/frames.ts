import type { Fault } from '../../bus/contracts/faults.ts';
import type { AnswerOf, Missing } from '../../bus/contracts/verbs.ts';

/** What `/events` sends, and `/api/picture` answers. Types alone: the page is built from them too. */

/** How many keys of a node stand in each state; those whose provider failed them count as failed alone. */
export interface Counts {
  readonly loading: number;
  readonly judging: number;
  readonly provided: number;
  readonly held: number;
  readonly retiring: number;
  readonly failed: number;
}

export interface Tile {
  readonly node: string;
  /** The node machine's state; absent before its first pass. */
  readonly state?: string;
  readonly counts: Counts;
  readonly faults: number;
  readonly isBraked: boolean;
  readonly modules: readonly string[];
}

/** What is true of the whole mesh. */
export interface Head {
  readonly bus: string;
  readonly seat: { readonly instance: string; readonly epoch: number };
  readonly gate: { readonly open: boolean; readonly missing: readonly Missing[]; readonly reads: number };
  readonly faultsTotal: number;
  /** The oldest of them. */
  readonly faults: readonly Fault[];
  readonly waitingTotal: number;
  readonly oldestWaiting?: string;
  /** Those that stand open, and the first of those that wait. */
  readonly asks: AnswerOf<'mesh-provisioner.asks'>;
}

/** What changed of the present, each part whole; `isWhole` where it is all there is. */
export interface Present {
  readonly isWhole: boolean;
  /** The journal's last record that is folded, and its time in milliseconds since 1970. */
  readonly seq: number;
  readonly at: number;
  readonly head?: Head;
  readonly tiles: readonly Tile[];
  readonly gone: readonly string[];
}

/** This instance does not hold the seat: what was shown of it is no longer the present. */
export interface Away {
  readonly says: string;
  readonly since: number;
}

export type LineKind = 'fact' | 'effect' | 'refusal' | 'move';

/** One thing of a turn, as the log shows it. */
export interface Line {
  readonly n: number;
  readonly kind: LineKind;
  /** The fact's type, the effect's kind, or the event of a move. */
  readonly what: string;
  readonly says: string;
  readonly node?: string;
  /** A key, or an entry's key. */
  readonly key?: string;
  /** Of a move: the actor by its path, the transitions that were taken, and the state they led to. */
  readonly actor?: string;
  readonly taken?: readonly string[];
  readonly to?: string;
}

/** A part of one turn of the seat; a large one comes in several. */
export interface Frame {
  readonly seq: number;
  readonly at: number;
  readonly lines: readonly Line[];
  /** Lines of the turn that are left out of the log: it was too large for it. */
  readonly leftOut?: number;
}
