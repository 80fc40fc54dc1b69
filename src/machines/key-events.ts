import type { Place } from '../bus/contracts/common.ts';
import type { KeyDetail, KeyState, Provision } from '../bus/contracts/provisions.ts';
import type { Answer, NeededKey } from './composed.ts';
import type { EffectEmitted, Word } from './effects.ts';
import type { Reason, Unneeded } from './reasons.ts';
import type { WantedAsk } from './supervisor-events.ts';

/** What the node tells its key. `at` is the record's time in milliseconds. */
export type KeyEvent =
  | { readonly type: 'needed'; readonly at: number; readonly need: NeededKey; readonly unmet: readonly string[] }
  | { readonly type: 'answered'; readonly at: number; readonly answer: Answer }
  /** Dependencies that are not provided, as their writes were acknowledged (K3, E5). */
  | { readonly type: 'dependencies changed'; readonly at: number; readonly unmet: readonly string[] }
  | { readonly type: 'hold'; readonly at: number; readonly reason: Reason }
  /** `dependents`: keys that depend on this one and must be gone before its ask (C6). */
  | {
      readonly type: 'retire';
      readonly at: number;
      readonly unneeded: Unneeded;
      readonly dependents: readonly string[];
      readonly proof: unknown;
      readonly lastWanted: string;
    }
  /** It never had a provider: it goes unasked (K7). */
  | { readonly type: 'forget'; readonly at: number }
  | { readonly type: 'dependents gone'; readonly at: number }
  | { readonly type: 'ask opened'; readonly at: number; readonly ask: string }
  | {
      readonly type: 'ask answered';
      readonly at: number;
      readonly ask: string;
      readonly answer: 'Approve' | 'Keep';
      readonly by: string;
      readonly answeredAt: number;
    }
  | { readonly type: 'ask ended elsewhere'; readonly at: number; readonly ask: string }
  /** The gate is open and the node is not braked: read live whether nothing needs it (A5). */
  | { readonly type: 'prove'; readonly at: number }
  | { readonly type: 'absence proven'; readonly at: number }
  | { readonly type: 'absence disproved'; readonly at: number }
  | { readonly type: 'proof failed'; readonly at: number }
  | { readonly type: 'provider gone'; readonly at: number }
  | { readonly type: 'entry written'; readonly at: number }
  | { readonly type: 'entry deleted'; readonly at: number }
  | { readonly type: 'reconsider'; readonly at: number };

/** A key's entry as its own writes make it, told to its node. */
export type KeyWord =
  | { readonly type: 'key stands'; readonly at: number; readonly key: string; readonly standing: KeyStanding }
  | { readonly type: 'key gone'; readonly at: number; readonly key: string };

export type KeyEmitted = EffectEmitted | Word<KeyWord> | Word<WantedAsk>;

/** What the node remembers of a key between passes. */
export interface KeyStanding {
  readonly state: KeyState;
  readonly detail?: KeyDetail;
  readonly generation: number;
  readonly provider?: Place;
  readonly bound: boolean;
  readonly with: Readonly<Record<string, unknown>>;
  readonly dependsOn: readonly string[];
  readonly unneeded?: Unneeded;
  readonly kept: boolean;
  readonly approved: boolean;
  readonly proving: boolean;
  /** The provider's words where it failed. */
  readonly failed?: string;
}

export interface KeyInput {
  readonly node: string;
  readonly module: string;
  readonly key: string;
  readonly at: number;
  /** The generation it starts at: above every one that was ever shown for it (K5). */
  readonly generation: number;
  /** Its own entry, found on the bus beside an empty journal (S61). */
  readonly adopted?: Provision;
}

export interface KeyContext {
  readonly node: string;
  readonly module: string;
  readonly key: string;
  generation: number;
  provider: Place | undefined;
  bound: boolean;
  with: Readonly<Record<string, unknown>>;
  builds: readonly string[];
  dependsOn: readonly string[];
  evidence: NeededKey['evidence'];
  blocked: NeededKey['blocked'] | undefined;
  answer: Answer;
  unmet: readonly string[];
  /** The generation at which its provider last provided it, while that still holds (K3, K4). */
  providedAt: number | undefined;
  reason: Reason;
  since: number;
  unneeded: Unneeded | undefined;
  dependents: readonly string[];
  ask: { id: string; state: 'waiting' | 'open' | 'answered' } | undefined;
  proof: unknown;
  lastWanted: string;
  approval: { by: string; at: number } | undefined;
  proving: boolean;
  warrant: Provision['warrant'] | undefined;
  /** The revision of the provider's have when the warrant was acknowledged (K7). */
  haveAtWarrant: number | undefined;
  kept: { by: string; generation: number } | undefined;
  /** The entry as last sent out, without its evidence (K8). */
  shown: string;
}
