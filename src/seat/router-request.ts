import type { RequestOf } from '../bus/contracts/verbs.ts';
import { ASKER } from '../kernel/entries-seen.ts';
import type { Effect } from '../machines/effects.ts';

/** An ask's raise or end as the router's verbs take it. */
export function requestOf(effect: Extract<Effect, { kind: 'raise' | 'end' }>): { readonly subject: string; readonly text: string } {
  if (effect.kind === 'end') {
    const request: RequestOf<'mesh-router.end'> = { id: effect.ask, why: effect.why };
    return { subject: 'mesh-router.end', text: JSON.stringify(request) };
  }
  const { ask: id, subject, question, proof } = effect;
  return { subject: 'mesh-router.raise', text: JSON.stringify({ id, asker: ASKER, subject, question, proof }) };
}
