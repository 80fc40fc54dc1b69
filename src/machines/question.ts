import type { KeyContext } from './key-events.ts';
import type { Question } from './supervisor-events.ts';
import { sayPlace } from './words.ts';

/** The ask of a retiring key, with its proof (A1, A7). */
export function questionOf(context: KeyContext): Question {
  const from = sayPlace({ node: context.node, module: context.module });
  const provider = context.provider === undefined ? 'its provider' : sayPlace(context.provider);
  return {
    id: context.ask?.id ?? '',
    key: context.key,
    node: context.node,
    generation: context.generation,
    question: `Take ${context.key} away from ${from}? ${provider} lets go of what it made for it.`,
    proof: context.proof,
  };
}
