/** What the machines want done. An effect is owed from the record that made it until its outcome is a fact. */
export type Effect =
  | { readonly kind: 'put'; readonly bucket: string; readonly key: string; readonly value: unknown }
  | { readonly kind: 'delete'; readonly bucket: string; readonly key: string }
  | { readonly kind: 'raise'; readonly ask: string; readonly subject: string; readonly question: string; readonly proof: unknown }
  | { readonly kind: 'end'; readonly ask: string; readonly why: string }
  /** Read live what the absence of this key's consumer rests on, and say what it holds now (A5). */
  | { readonly kind: 'prove'; readonly key: string };

/** An effect with its id, `<journal seq>.<n>`, and the actor that hears of its outcome. */
export interface OwedEffect {
  readonly id: string;
  readonly owner: string;
  readonly effect: Effect;
}

/** A word from one actor to another root actor; the kernel carries it. */
export interface Word<E> {
  readonly type: 'word';
  readonly to: string;
  readonly event: E;
}

/** How an effect leaves a machine: by `emit`, heard by the kernel. `about` is the key or ask that hears of its outcome. */
export interface EffectEmitted {
  readonly type: 'effect';
  readonly about?: string;
  readonly effect: Effect;
}

export const SUPERVISOR = 'supervisor';

export function nodeRoot(node: string): string {
  return `node.${node}`;
}
