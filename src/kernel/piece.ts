import type { AskRecord } from '../bus/contracts/asks.ts';
import type { Plan } from '../bus/contracts/plans.ts';
import type { Provision } from '../bus/contracts/provisions.ts';
import type { OwedEffect } from '../machines/effects.ts';
import type { Entry, PictureMemory } from '../machines/picture.ts';
import type { KeptActor } from './kept-actor.ts';
import type { KernelPosition } from './memory.ts';
import type { Aside } from './roots.ts';

/** To be raised with every change of what a piece keeps: a snapshot of another version is set aside. */
export const SNAPSHOT_VERSION = 2;

/** By name. */
export type Named<T> = Readonly<Record<string, T>>;

/** What was last read of a module, a node's keys and places, or asks; with the node's actor, and what is owed to it. */
export interface Piece {
  readonly actor?: KeptActor;
  /** What the actor threw as it was set aside. */
  readonly aside?: Aside;
  /** By bucket and key. */
  readonly entries?: Named<Named<Entry>>;
  readonly shown?: Named<Provision>;
  readonly plans?: Named<Plan>;
  /** The builtin router's records; `null` is the one that was read. */
  readonly records?: Named<AskRecord | null>;
  readonly owed?: readonly OwedEffect[];
  /** Writes that were refused and are still owed, by effect. */
  readonly refused?: Named<{ readonly says: string; readonly since: number }>;
  readonly uses?: readonly string[];
}

export interface SupervisorPiece extends Piece {
  readonly seq: number;
  readonly position: KernelPosition;
  readonly picture: PictureMemory;
  readonly wakes: Named<number>;
  readonly tickets: Named<string>;
  readonly dirty: readonly string[];
}

export interface Pieces {
  readonly supervisor: SupervisorPiece;
  /** By the piece's key; `undefined` where nothing is left to keep. */
  readonly others: ReadonlyMap<string, Piece | undefined>;
}
