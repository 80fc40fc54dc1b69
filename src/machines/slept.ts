import type { PlacedAsk, Queue } from './ask-queue.ts';
import { meshAfterSleep } from './mesh-brake.ts';
import type { NodeContext } from './node-events.ts';

/** Why a read is proved again after a sleep. */
export function sayAsleep(forMs: number): string {
  return `this seat was asleep for ${Math.round(forMs / 1000)} s`;
}

/**
 * What a node remembers, as if the time slept had not passed (P9): what its brake counts, its latch, and the operator's word. A dwell
 * begins again anyway, for the gate is shut; times that are shown to people stay as they were.
 */
export function nodeAfterSleep(context: NodeContext, forMs: number): Pick<NodeContext, 'samples' | 'retired' | 'brake' | 'word'> {
  const { samples, retired, brake, word } = context;
  return {
    samples: samples.map((sample) => ({ ...sample, at: sample.at + forMs })),
    retired: Object.fromEntries(Object.entries(retired).map(([consumer, at]) => [consumer, at + forMs])),
    brake: brake?.calmSince === undefined ? brake : { ...brake, calmSince: brake.calmSince + forMs },
    word: word === undefined ? undefined : { ...word, until: word.until + forMs },
  };
}

/** The asks' minute and their back-off, and what the mesh's brake counts, as if the time slept had not passed (P9). */
export function queueAfterSleep(
  { places, waiting, routerLoadedAt, mesh }: Queue,
  forMs: number,
): Pick<Queue, 'places' | 'waiting' | 'routerLoadedAt' | 'mesh'> {
  const later = (placed: PlacedAsk): PlacedAsk => ({
    ...placed,
    raisedAt: placed.raisedAt + forMs,
    lostAt: placed.lostAt + forMs,
  });
  return {
    places: Object.fromEntries(Object.entries(places).map(([place, placed]) => [place, later(placed)])),
    waiting: waiting.map((ask) => ({ ...ask, tryAt: ask.tryAt + forMs })),
    routerLoadedAt: routerLoadedAt + forMs,
    mesh: meshAfterSleep(mesh, forMs),
  };
}
