import type { AskRecord } from '../bus/contracts/asks.ts';
import type { Plan } from '../bus/contracts/plans.ts';
import type { Provision } from '../bus/contracts/provisions.ts';
import type { Effect, OwedEffect } from '../machines/effects.ts';

/** The kernel's own collections: live ones, not copies. */
export interface KernelMemory {
  readonly owed: Map<string, OwedEffect>;
  /** By bucket and key, what is owed there. */
  readonly owedAt: Map<string, string>;
  /** When each owner wants to be woken, in milliseconds since 1970. */
  readonly wakes: Map<string, number>;
  /** Entries as their writes were acknowledged (E5). */
  readonly shown: Map<string, Provision>;
  readonly plans: Map<string, Plan>;
  /** The builtin router's records, those whose write is still owed too. */
  readonly records: Map<string, AskRecord>;
  /** Writes that were refused and are still owed, by effect. */
  readonly refused: Map<string, { says: string; since: number; effect: Effect }>;
  /** Who waits for an answer, by the effect that it follows. */
  readonly tickets: Map<string, string>;
  /** Nodes that are to be judged again. */
  readonly dirty: Set<string>;
  /** The pieces that changed since a snapshot last took them. */
  readonly changed: Set<string>;
}

/** How far the kernel has folded, and what it knows of itself. */
export interface KernelPosition {
  readonly sequence: number;
  readonly at: number;
  readonly seat: { readonly instance: string; readonly epoch: number };
  readonly wasOpen: boolean;
  readonly askedAgain: boolean;
}

export function emptyMemory(): KernelMemory {
  return {
    owed: new Map(),
    owedAt: new Map(),
    wakes: new Map(),
    shown: new Map(),
    plans: new Map(),
    records: new Map(),
    refused: new Map(),
    tickets: new Map(),
    dirty: new Set(),
    changed: new Set(),
  };
}
