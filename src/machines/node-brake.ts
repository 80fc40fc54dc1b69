import { mostConsumers, remember, wouldRetireTooMany } from './brake.ts';
import { type Candidate, consumerOf } from './candidate.ts';
import type { Brake, NodeContext, PassEvent } from './node-events.ts';

/** What the brake says of one pass. */
export interface Braking {
  readonly brake: Brake | undefined;
  readonly word: NodeContext['word'];
  readonly samples: NodeContext['samples'];
  readonly wakeAt: number | undefined;
  /** Whether the brake keeps this consumer from retiring. */
  stops(consumer: string): boolean;
}

/** The brake of this pass, with what it remembers, its latch and the operator's word (B1–B7). */
export function brakeOf(context: NodeContext, pass: PassEvent, candidates: readonly Candidate[]): Braking {
  const { at } = pass;
  const { settings } = context;
  const all = [...new Set(candidates.map(({ consumer }) => consumer))].sort();
  const word = wordOf(context, pass);
  const newly = all.filter((consumer) => word?.consumers.includes(consumer) !== true);
  const uncounted = uncountedOf(context, pass);
  const samples = remember(
    context.samples,
    { at, consumers: [...new Set(Object.keys(context.keys).map(consumerOf))].sort() },
    settings.brakeWindowMs,
  );
  const counts = { newly, before: beforeOf(context, pass), population: mostConsumers(samples, uncounted) };
  const over = wouldRetireTooMany(counts);
  const wouldRetire = candidates.some(({ ready, consumer }) => ready && newly.includes(consumer));
  const brake = latch(context, { at, newly, over, wouldRetire });
  return {
    brake,
    word,
    samples,
    wakeAt: brake?.calmSince === undefined ? undefined : brake.calmSince + settings.brakeSettleMs,
    stops: (consumer) => brake !== undefined && word?.consumers.includes(consumer) !== true,
  };
}

/** Once braked, braked until nothing would retire, or the set stood unchanged and under the limit long enough (B5). */
function latch(
  context: NodeContext,
  now: { at: number; newly: readonly string[]; over: boolean; wouldRetire: boolean },
): Brake | undefined {
  const { brake, settings } = context;
  if (now.newly.length === 0) return undefined;
  if (brake === undefined) return now.over && now.wouldRetire ? { since: now.at, consumers: now.newly } : undefined;
  if (now.over) return { since: brake.since, consumers: now.newly };
  const unchanged =
    now.newly.length === brake.consumers.length && now.newly.every((consumer, index) => consumer === brake.consumers[index]);
  const calmSince = unchanged && brake.calmSince !== undefined ? brake.calmSince : now.at;
  return now.at - calmSince >= settings.brakeSettleMs ? undefined : { since: brake.since, consumers: now.newly, calmSince };
}

function wordOf(context: NodeContext, pass: PassEvent): NodeContext['word'] {
  if (pass.word !== undefined && context.brake !== undefined) {
    return { consumers: context.brake.consumers, until: pass.at + context.settings.wordMs, by: pass.word.by };
  }
  return context.word !== undefined && context.word.until > pass.at ? context.word : undefined;
}

/** Consumers retiring now, and those retired within the window and not back (B3). */
function beforeOf(context: NodeContext, pass: PassEvent): readonly string[] {
  const covered = (consumer: string) => context.word?.consumers.includes(consumer) === true;
  const retiring = Object.entries(context.keys)
    .filter(([, standing]) => standing.state === 'retiring')
    .map(([key]) => consumerOf(key));
  const retired = Object.entries(context.retired)
    .filter(([consumer, at]) => at > pass.at - context.settings.brakeWindowMs && pass.composed.consumers[consumer] === undefined)
    .map(([consumer]) => consumer);
  return [...new Set([...retiring, ...retired])].filter((consumer) => !covered(consumer));
}

function uncountedOf(context: NodeContext, pass: PassEvent): ReadonlySet<string> {
  const uncounted = new Set(
    Object.entries(pass.composed.consumers)
      .filter(([, { hold }]) => hold !== undefined)
      .map(([consumer]) => consumer),
  );
  const notKept = new Set(
    Object.entries(context.keys)
      .filter(([, standing]) => !standing.kept)
      .map(([key]) => consumerOf(key)),
  );
  for (const key of Object.keys(context.keys)) if (!notKept.has(consumerOf(key))) uncounted.add(consumerOf(key));
  return uncounted;
}
