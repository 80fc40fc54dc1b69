import type { Read } from '../bus/contracts/buckets.ts';
import type { LoadedStream, Unreadable } from './facts.ts';
import type { NodeCounts } from './mesh-counts.ts';

/** What the operator would be asked, as its key wants it raised (A1, A7). */
export interface Question {
  readonly id: string;
  readonly key: string;
  readonly node: string;
  readonly generation: number;
  readonly question: string;
  readonly proof: unknown;
}

/** Words of a key about its ask. */
export type WantedAsk =
  | { readonly type: 'ask wanted'; readonly at: number; readonly ask: Question }
  | { readonly type: 'ask dropped'; readonly at: number; readonly id: string; readonly why: string };

/** Words of an ask to its supervisor. */
export type AskWord =
  | { readonly type: 'ask refused'; readonly at: number; readonly id: string; readonly says: string }
  | { readonly type: 'ask over'; readonly at: number; readonly id: string };

/** The router's own record of an ask, as far as the seat acts on it. */
export interface RecordSeen {
  readonly state: 'open' | 'answered' | 'ended';
  readonly subject: string;
  readonly answer?: 'Approve' | 'Keep';
  readonly by?: string;
  readonly answeredAt?: number;
}

export type SupervisorEvent =
  | WantedAsk
  | AskWord
  | { readonly type: 'read loaded'; readonly at: number; readonly read: Read; readonly streams: readonly LoadedStream[] }
  | { readonly type: 'read missing'; readonly at: number; readonly read: Read; readonly why: string }
  /** The operator takes what the read brought for true (P7). */
  | { readonly type: 'read accepted'; readonly at: number; readonly read: Read }
  | {
      readonly type: 'entry seen';
      readonly at: number;
      readonly bucket: string;
      readonly key: string;
      readonly revision: number;
      readonly unreadable?: Unreadable;
      /** How many entries the bucket holds now. */
      readonly entries: number;
    }
  | { readonly type: 'key out of shape'; readonly at: number; readonly bucket: string; readonly key: string; readonly says: string }
  /** `record` absent: the router holds none. */
  | { readonly type: 'record seen'; readonly at: number; readonly id: string; readonly record?: RecordSeen }
  | { readonly type: 'raise acknowledged'; readonly at: number; readonly id: string }
  | { readonly type: 'raise refused'; readonly at: number; readonly id: string; readonly says: string }
  | { readonly type: 'end acknowledged'; readonly at: number; readonly id: string }
  | { readonly type: 'node braked'; readonly at: number; readonly node: string; readonly braked: boolean }
  /** What a pass of a node counts for the brake over the whole mesh, where that changed (B4). */
  | { readonly type: 'node counted'; readonly at: number; readonly node: string; readonly counts: NodeCounts }
  /** Every node was judged from the whole picture: what is open and belongs to no key is ended (A2). */
  | { readonly type: 'mesh judged'; readonly at: number }
  | { readonly type: 'seat taken'; readonly at: number }
  /** Every read is proved again, and the time slept counts for no deadline (P9). */
  | { readonly type: 'slept'; readonly at: number; readonly forMs: number }
  | { readonly type: 'due'; readonly at: number };
