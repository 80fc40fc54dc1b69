/** What a verb is answered: a value, or an expected refusal with one of the contract's codes. */
export type KernelReply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: number; readonly says: string };
