import type { Place } from '../bus/contracts/common.ts';

/** Why a module, or a key of it, is left exactly as it is because its picture is not whole (C3, C4, P6). */
export type HoldReason =
  | {
      readonly because: 'unreadable';
      readonly bucket: string;
      readonly key: string;
      readonly revision: number;
      readonly field: string;
      readonly says: string;
    }
  | { readonly because: 'names-clash'; readonly other: string }
  | { readonly because: 'no-build'; readonly module: string }
  /** None of the builds' compositions is published. */
  | { readonly because: 'unread'; readonly module: string; readonly builds: readonly string[] }
  /** Some are published, these are not. */
  | { readonly because: 'unpublished'; readonly module: string; readonly builds: readonly string[] };

/** Why a needed key has no provider, or cannot be asked of the one it has (C5, C6). */
export type BlockReason =
  | { readonly because: 'no-provider'; readonly provision: string; readonly named?: string }
  | { readonly because: 'several-providers'; readonly provision: string; readonly places: readonly Place[] }
  | { readonly because: 'no-credential-form'; readonly provision: string; readonly provider: Place }
  | { readonly because: 'seat-vacant'; readonly seat: string }
  | { readonly because: 'unfilled'; readonly placeholders: readonly string[] }
  | { readonly because: 'dependency'; readonly keys: readonly string[] };

export type Reason =
  | HoldReason
  | BlockReason
  | { readonly because: 'loading' }
  | { readonly because: 'asked'; readonly provider: Place; readonly generation: number }
  | { readonly because: 'starting'; readonly provider: Place; readonly says: string }
  | { readonly because: 'failed'; readonly provider: Place; readonly says: string }
  | { readonly because: 'provided'; readonly provider: Place; readonly generation: number }
  | { readonly because: 'waits'; readonly provider: Place; readonly says: string }
  | { readonly because: 'dependency-falters'; readonly keys: readonly string[] }
  | { readonly because: 'kept'; readonly by: string; readonly generation: number }
  | { readonly because: 'braked'; readonly consumers: readonly string[] }
  | { readonly because: 'dwelling'; readonly until: number }
  | { readonly because: 'place'; readonly unneeded: Unneeded }
  | { readonly because: 'dependents'; readonly keys: readonly string[] }
  | { readonly because: 'ask-open'; readonly ask: string; readonly unneeded: Unneeded }
  | { readonly because: 'approved'; readonly by: string }
  | { readonly because: 'warranted'; readonly by: string; readonly provider?: Place }
  | { readonly because: 'let-go-failed'; readonly provider: Place; readonly says: string };

/** Why nothing needs a key: its consumer is nowhere on the node, or is there and its compositions need it no more. */
export type Unneeded = 'consumer-gone' | 'need-dropped';
