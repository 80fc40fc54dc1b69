import type { Fault } from '../bus/contracts/faults.ts';
import type { Plan } from '../bus/contracts/plans.ts';
import type { Provision } from '../bus/contracts/provisions.ts';
import type { Sample } from './brake.ts';
import type { Answer, Composed } from './composed.ts';
import type { EffectEmitted, Word } from './effects.ts';
import type { KeyStanding, KeyWord } from './key-events.ts';

/** One judgement of a node from the whole picture. */
export interface PassEvent {
  readonly type: 'pass';
  readonly at: number;
  readonly composed: Composed;
  /** What the providers of keys that nothing needs say now, by key. */
  readonly answers: Readonly<Record<string, Answer>>;
  /** Keys whose provider is gone from its node (K7). */
  readonly providerGone: readonly string[];
  /** For keys that do not stand: the highest generation anything on the bus shows (K5). */
  readonly floors: Readonly<Record<string, number>>;
  /** The operator's word that lets the braked ones through (B6). */
  readonly word?: { readonly by: string };
}

export type NodeEvent =
  | PassEvent
  | KeyWord
  | { readonly type: 'adopt'; readonly at: number; readonly key: string; readonly module: string; readonly entry: Provision }
  | { readonly type: 'adopt plan'; readonly at: number; readonly key: string; readonly plan: Plan }
  | { readonly type: 'outcome'; readonly at: number; readonly key: string; readonly answer: Answer }
  | { readonly type: 'gate shut'; readonly at: number }
  /** The time slept counts for no deadline (P9). */
  | { readonly type: 'slept'; readonly at: number; readonly forMs: number }
  | { readonly type: 'ask opened'; readonly at: number; readonly key: string; readonly ask: string }
  | {
      readonly type: 'ask answered';
      readonly at: number;
      readonly key: string;
      readonly ask: string;
      readonly answer: 'Approve' | 'Keep';
      readonly by: string;
      readonly answeredAt: number;
    }
  | { readonly type: 'ask ended elsewhere'; readonly at: number; readonly key: string; readonly ask: string }
  /** What a live read made of a key's absence; `needed` says what it found (A5). */
  | { readonly type: 'proof read'; readonly at: number; readonly key: string; readonly needed?: string }
  | { readonly type: 'proof failed'; readonly at: number; readonly key: string }
  | { readonly type: 'entry written'; readonly at: number; readonly key: string; readonly state: string }
  | { readonly type: 'entry deleted'; readonly at: number; readonly key: string }
  | { readonly type: 'reconsider'; readonly at: number; readonly key: string };

export type NodeEmitted = EffectEmitted | Word<NodeWord> | Word<{ readonly owner: string; readonly at: number }>;

export type NodeWord =
  | { readonly type: 'node braked'; readonly at: number; readonly node: string; readonly braked: boolean }
  | { readonly type: 'passed'; readonly at: number; readonly node: string; readonly report: PassReport };

export interface PassReport {
  readonly judged: number;
  readonly retires: readonly string[];
  readonly braked?: Fault;
}

export interface NodeSettings {
  readonly dwellMs: number;
  readonly brakeWindowMs: number;
  readonly brakeSettleMs: number;
  readonly wordMs: number;
}

export interface NodeInput {
  readonly node: string;
  readonly settings: NodeSettings;
}

export interface Brake {
  readonly since: number;
  readonly consumers: readonly string[];
  /** Since when the set has stood unchanged and under the limit (B5). */
  readonly calmSince?: number;
}

export interface NodeContext {
  readonly node: string;
  readonly settings: NodeSettings;
  keys: Readonly<Record<string, KeyStanding>>;
  /** The state each key's acknowledged entry shows (E5). */
  acknowledged: Readonly<Record<string, string>>;
  /** Keys, and plans without keys, that nothing needs: since when, over how many passes (B7). */
  unneeded: Readonly<Record<string, { readonly since: number; readonly passes: number }>>;
  plans: Readonly<Record<string, Plan>>;
  samples: readonly Sample[];
  retired: Readonly<Record<string, number>>;
  brake: Brake | undefined;
  word: { readonly consumers: readonly string[]; readonly until: number; readonly by: string } | undefined;
  /** The generation at which a key that is gone stood last (K5). */
  generations: Readonly<Record<string, number>>;
  faults: Readonly<Record<string, Fault>>;
  gateOpen: boolean;
  /** Nothing of it can be judged: every module on it is held. */
  held: boolean;
  judged: boolean;
  wakeAt: number | undefined;
}
