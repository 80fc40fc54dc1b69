/** What the machines want done. An effect is owed from the record that made it until its outcome is a fact. */
export type Effect =
  | { readonly kind: 'put'; readonly bucket: string; readonly key: string; readonly value: unknown }
  | { readonly kind: 'delete'; readonly bucket: string; readonly key: string }
  | { readonly kind: 'raise'; readonly ask: string; readonly subject: string; readonly question: string; readonly proof: unknown }
  | { readonly kind: 'end'; readonly ask: string; readonly why: string }
  /** Read these entries live and say what they hold now (A5). */
  | { readonly kind: 'prove'; readonly key: string; readonly entries: readonly { readonly bucket: string; readonly key: string }[] };

/** An effect with its id, `<journal seq>.<n>`, and the actor that hears of its outcome. */
export interface OwedEffect {
  readonly id: string;
  readonly owner: string;
  readonly effect: Effect;
}
