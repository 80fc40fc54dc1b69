import type { AskNews } from './ask.ts';
import { type PlacedAsk, placeOf, type Queue } from './ask-queue.ts';
import type { EffectEmitted, Word } from './effects.ts';
import { type Faults, faultEffects } from './fault-effects.ts';
import { allMissing, isPictureWhole, type MissingReads } from './gate.ts';
import type { Images } from './images.ts';
import { QUIET_MESH } from './mesh-brake.ts';
import type { AskWord } from './supervisor-events.ts';

export interface SupervisorSettings {
  readonly asksOpenMax: number;
  readonly askRecordMs: number;
  readonly brakeWindowMs: number;
  readonly brakeSettleMs: number;
}

export interface SupervisorContext extends Queue {
  readonly settings: SupervisorSettings;
  /** The reads that are missing (P5), and the asks' among them. */
  readonly reads: MissingReads;
  /** What the buckets of the five reads held when they were last believed (P7). */
  readonly images: Images;
  /** Every node was judged since the gate opened: what waits is what is wanted now. */
  readonly judged: boolean;
  readonly faults: Faults;
  readonly wakeAt: number | undefined;
}

export type SupervisorEmitted = EffectEmitted | Word<AskNews> | Word<AskWord> | Word<{ readonly owner: string; readonly at: number }>;

export function initialSupervisor(input: SupervisorSettings | undefined): SupervisorContext {
  return {
    settings: input ?? { asksOpenMax: 0, askRecordMs: 0, brakeWindowMs: 0, brakeSettleMs: 0 },
    reads: allMissing(0),
    images: {},
    judged: false,
    routerLoadedAt: 0,
    waiting: [],
    places: {},
    records: {},
    braked: {},
    mesh: QUIET_MESH,
    faults: {},
    wakeAt: undefined,
  };
}

/** Places are given and asks raised again behind the open gate alone, with the router's asks loaded and every node judged. */
export function mayAsk(context: SupervisorContext): boolean {
  return context.judged && context.reads.asks === undefined && isPictureWhole(context);
}

/** Makes these faults stand, in the context and on the bus. */
export function say(
  enqueue: { emit(emitted: EffectEmitted): void; assign(assignment: { faults: Faults }): void },
  { faults: before }: SupervisorContext,
  faults: Faults,
): void {
  if (faults === before) return;
  for (const emitted of faultEffects(before, faults)) enqueue.emit(emitted);
  enqueue.assign({ faults });
}

export function placedAsk({ places }: SupervisorContext, id: string): PlacedAsk | undefined {
  return places[placeOf(id)];
}

export function endOf(ask: string, why: string): EffectEmitted {
  return { type: 'effect', about: ask, effect: { kind: 'end', ask, why } };
}
