import type { Evidence, Place } from '../bus/contracts/common.ts';
import type { Plan } from '../bus/contracts/plans.ts';
import type { BlockReason, HoldReason } from './reasons.ts';

/** A module considered on a node (C1), and what holds it (C3). */
export interface Consumer {
  readonly module: string;
  readonly placed: boolean;
  readonly wanted?: string;
  readonly newest?: string;
  readonly running?: string;
  readonly hold?: HoldReason;
  readonly evidence: readonly Evidence[];
}

/** What a provider says of a key, read from its `bound` bucket or from its own have (K1, K2). */
export type Answer =
  /** Unreadable, or its bucket is not loaded: leave the key as it is. */
  | { readonly state: 'unknown'; readonly evidence: readonly Evidence[] }
  /** No outcome. `proven`: it was deleted under our eyes, or a load of the same stream lacks it (K7). */
  | { readonly state: 'none'; readonly proven: boolean; readonly evidence: readonly Evidence[] }
  | {
      readonly state: 'provided' | 'failed' | 'waits';
      /** The generation it answers; a have answers every one. */
      readonly generation: number | 'every';
      readonly says: string;
      readonly evidence: readonly Evidence[];
    };

/** A provision that at least one composition of its consumer's builds needs (C2), or that a needed one depends on (C6). */
export interface NeededKey {
  readonly key: string;
  readonly module: string;
  readonly provision: string;
  readonly local?: string;
  readonly provider?: Place;
  /** The provider declares `bound`: judged by its entry, else by its own have (K2). */
  readonly bound: boolean;
  readonly blocked?: BlockReason;
  /** Its seat's entry cannot be read: whatever stands is left as it is (P6). */
  readonly leave: boolean;
  /** With every placeholder filled that can be. */
  readonly with: Readonly<Record<string, unknown>>;
  /** Placeholders of `with` that cannot be filled now, as written. */
  readonly unfilled: readonly string[];
  /** The builds whose compositions need it. */
  readonly builds: readonly string[];
  /** Absent where the offer cannot be read: what stands is kept (C6). */
  readonly dependsOn?: readonly string[];
  readonly answer: Answer;
  readonly evidence: readonly Evidence[];
}

/** A module's plan as composed (C7): `stands` keeps the plan that is there, but for `held`. */
export type PlanVerdict = { readonly do: 'put'; readonly plan: Plan } | { readonly do: 'stand'; readonly held: string };

export interface OfferFault {
  readonly provider: Place;
  readonly provision: string;
  readonly build: string;
}

/** All that one pass of a node is judged from (C9): a pure function of the picture and of what stands. */
export interface Composed {
  /** By `<node>.<module>` key. */
  readonly consumers: Readonly<Record<string, Consumer>>;
  readonly needs: Readonly<Record<string, NeededKey>>;
  /** By `<node>.<module>` key; a module with no want has none. */
  readonly plans: Readonly<Record<string, PlanVerdict>>;
  readonly offerFaults: readonly OfferFault[];
  /** Providers that keys of the node have and that are gone from their node, to be looked at again at this time (C5). */
  readonly wakeAt?: number;
}

/** What stands of a key, as far as composing needs it: a key keeps its provider (C5). */
export interface StandingKey {
  readonly provider?: Place;
  readonly generation: number;
  readonly provided: boolean;
  readonly dependsOn: readonly string[];
  readonly with: Readonly<Record<string, unknown>>;
  /** Whether its provider was last known to answer by outcomes: kept while the offer cannot be read. */
  readonly bound?: boolean;
  /** Former providers that have not let go yet (K9). */
  readonly former?: readonly Place[];
}

/** What stands of a node: its keys, and which of its modules have a plan, each by its key. */
export interface Standing {
  readonly keys: Readonly<Record<string, StandingKey>>;
  readonly plans: Readonly<Record<string, unknown>>;
}
