import type { AskRecord } from '../bus/contracts/asks.ts';
import { answerOf } from '../machines/answers.ts';
import { composeNode } from '../machines/compose.ts';
import type { NodeContext, PassEvent } from '../machines/node-events.ts';
import type { Picture } from '../machines/picture.ts';
import { floorOf, providerGone, standingOfNode } from './evidence-of-keys.ts';

interface Judged {
  readonly node: string;
  readonly at: number;
  readonly dwellMs: number;
  readonly picture: Picture;
  readonly context: NodeContext | undefined;
  readonly records: ReadonlyMap<string, AskRecord>;
  readonly word: PassEvent['word'] | undefined;
}

/** What a pass of a node is judged from: all that composing it gives, and what is said of the keys that nothing needs. */
export function passOf({ node, at, dwellMs, picture, context, records, word }: Judged): PassEvent {
  const composed = composeNode(picture, node, standingOfNode(context), at, dwellMs);
  const unneeded = Object.entries(context?.keys ?? {}).filter(([key]) => composed.needs[key] === undefined);
  const retiring = unneeded.filter(([, { state }]) => state === 'retiring');
  const born = Object.values(composed.needs).filter(({ key }) => context?.keys[key] === undefined);
  return {
    type: 'pass',
    at,
    composed,
    answers: Object.fromEntries(retiring.map(([key, standing]) => [key, answerOf(picture, { key, ...standing })])),
    providerGone: retiring.filter(([, { provider }]) => providerGone(picture, provider)).map(([key]) => key),
    floors: Object.fromEntries(born.map((need) => [need.key, floorOf(picture, records, need)])),
    ...(word === undefined ? {} : { word }),
  };
}
