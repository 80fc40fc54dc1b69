import { type ErrorActorEvent, enqueueActions, setup } from 'xstate';
import type { Read } from '../bus/contracts/buckets.ts';
import { type AskNews, askMachine } from './ask.ts';
import {
  brakeOf,
  earliest,
  nextAskAt,
  nextAsks,
  type PlacedAsk,
  placeOf,
  type Queue,
  tryAgainAt,
  unrecordedAsks,
  type WaitingAsk,
} from './ask-queue.ts';
import { type EffectEmitted, nodeRoot, SUPERVISOR, type Word } from './effects.ts';
import { type Faults, faultEffects } from './fault-effects.ts';
import {
  allMissing,
  BEFORE_ANY_PASS,
  isEveryReadLoaded,
  isWatched,
  type MissingReads,
  READ_LATE_MS,
  WATCHED_READS,
  withLoaded,
  withMissing,
} from './gate.ts';
import type { AskWord, Question, SupervisorEvent } from './supervisor-events.ts';
import {
  failedFault,
  failedFaultKey,
  gateFault,
  gateFaultKey,
  outOfShapeFault,
  outOfShapeFaultKey,
  refusedFault,
  refusedFaultKey,
  unreadableFault,
  unreadableFaultKey,
  withFault,
  withoutFault,
} from './supervisor-faults.ts';

export interface SupervisorSettings {
  readonly asksOpenMax: number;
  readonly askRecordMs: number;
}

export interface SupervisorContext extends Queue {
  readonly settings: SupervisorSettings;
  /** The reads that are missing (P5), and the asks' among them. */
  readonly reads: MissingReads;
  /** Every node was judged since the gate opened: what waits is what is wanted now. */
  readonly judged: boolean;
  readonly faults: Faults;
  readonly wakeAt: number | undefined;
}

export type SupervisorEmitted = EffectEmitted | Word<AskNews> | Word<AskWord> | Word<{ readonly owner: string; readonly at: number }>;

type Event = SupervisorEvent | ErrorActorEvent;

const ASKS = 'mesh-router_asks';
const NO_PLACE_YET = 'it waits for a place at the router';
const BELONGS_TO_NOBODY = 'no key that is retiring asks this any more';

const base = setup({
  types: {
    context: {} as SupervisorContext,
    events: {} as Event,
    emitted: {} as SupervisorEmitted,
    input: {} as SupervisorSettings | undefined,
  },
  actors: { ask: askMachine },
  guards: {
    'every read before a pass is loaded': ({ context }) => isEveryReadLoaded(context.reads),
    'a read before a pass is missing': ({ context }) => !isEveryReadLoaded(context.reads),
    'changes what cannot be read': ({ context, event }) => event.type === 'entry seen' && isOfFaults(context, event),
    'is an ask with a place': ({ context, event }) => 'id' in event && placedAsk(context, event.id) !== undefined,
    'is an ask that waits': ({ context, event }) => 'id' in event && context.waiting.some(({ ask }) => ask.id === event.id),
    'is wanted already, or set aside': ({ context, event }) => event.type === 'ask wanted' && isKnown(context, event.ask.id),
    'is being ended': ({ context, event }) => event.type === 'ask wanted' && placedAsk(context, event.ask.id)?.ending === true,
    'stands at the router already': ({ context, event }) =>
      event.type === 'ask wanted' && context.records[placeOf(event.ask.id)] !== undefined,
    'stands at the router without a place': ({ context, event }) =>
      event.type === 'record seen' && event.record !== undefined && context.waiting.some(({ ask }) => ask.id === event.id),
  },
  actions: {
    'note that a read is loaded': enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'read loaded') return;
      const isRouter = event.read === 'asks' && context.reads.asks !== undefined;
      enqueue.assign({
        reads: withLoaded(context.reads, event.read),
        ...(isRouter ? { routerLoadedAt: event.at } : {}),
      });
    }),
    'note that a read is missing': enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'read missing' || !isWatched(event.read)) return;
      const reads = withMissing(context.reads, event.read, event.at, event.why);
      enqueue.assign({ reads, judged: context.judged && isEveryReadLoaded(reads) });
    }),
    'take every read as missing': enqueueActions(({ event, enqueue }) => {
      if ('at' in event) enqueue.assign({ reads: allMissing(event.at), judged: false, wakeAt: undefined });
    }),
    'say which reads are late': enqueueActions(({ context, event, enqueue }) => {
      if (!('at' in event)) return;
      let { faults } = context;
      for (const read of WATCHED_READS) {
        const missing = context.reads[read];
        if (missing === undefined) faults = withoutFault(faults, gateFaultKey(read));
        else if (missing.since + READ_LATE_MS <= event.at)
          faults = withFault(faults, gateFaultKey(read), gateFault(read, missing), event.at);
      }
      say(enqueue, context, faults);
    }),
    'say whether the entry can be read': enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'entry seen') return;
      const { bucket, key, revision, unreadable, at } = event;
      const name = unreadableFaultKey(bucket, key);
      const without = withoutFault(context.faults, name, outOfShapeFaultKey(bucket, key));
      if (unreadable === undefined) return say(enqueue, context, without);
      say(enqueue, context, withFault(context.faults, name, unreadableFault(bucket, key, revision, unreadable), at));
    }),
    'say that the key is out of shape': enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'key out of shape') return;
      const { bucket, key, says, at } = event;
      say(enqueue, context, withFault(context.faults, outOfShapeFaultKey(bucket, key), outOfShapeFault(bucket, key, says), at));
    }),
    'let it wait its turn': enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'ask wanted') return;
      const waiting: WaitingAsk = { ask: event.ask, since: event.at, why: NO_PLACE_YET, refusals: 0, tryAt: event.at };
      enqueue.assign({ waiting: [...context.waiting, waiting] });
    }),
    'take up what stands at the router': enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'ask wanted' && event.type !== 'record seen') return;
      const id = event.type === 'ask wanted' ? event.ask.id : event.id;
      const waited = context.waiting.find(({ ask }) => ask.id === id);
      const ask = event.type === 'ask wanted' ? event.ask : waited?.ask;
      const record = context.records[placeOf(id)];
      if (ask === undefined || record === undefined) return;
      const placed = placedNow({ ask, since: waited?.since ?? event.at, refusals: waited?.refusals ?? 0, held: true }, event.at);
      enqueue.assign({ places: { ...context.places, [placeOf(id)]: placed }, waiting: without(context.waiting, id) });
      enqueue.spawnChild('ask', { id, input: { ask, at: event.at, record } });
      say(enqueue, context, withoutFault(context.faults, refusedFaultKey(id)));
    }),
    'tell its key that it is over': enqueueActions(({ event, enqueue }) => {
      if (event.type !== 'ask wanted') return;
      const { ask, at } = event;
      enqueue.emit({ type: 'word', to: nodeRoot(ask.node), event: { type: 'ask ended elsewhere', at, key: ask.key, ask: ask.id } });
    }),
    'take it out of the queue': enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'ask dropped') return;
      enqueue.assign({ waiting: without(context.waiting, event.id) });
      say(enqueue, context, withoutFault(context.faults, refusedFaultKey(event.id)));
    }),
    'have it ended': enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'ask dropped') return;
      const placed = placedAsk(context, event.id);
      if (placed === undefined || placed.ending) return;
      enqueue.assign({ places: { ...context.places, [placeOf(event.id)]: { ...placed, ending: true } } });
      enqueue.sendTo(event.id, { type: 'end', at: event.at, why: event.why });
      say(enqueue, context, withoutFault(context.faults, refusedFaultKey(event.id)));
    }),
    'end what the router still holds of it': enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'ask dropped') return;
      const record = context.records[placeOf(event.id)];
      if (record !== undefined && record.state !== 'ended') enqueue.emit(endOf(event.id, event.why));
      say(enqueue, context, withoutFault(context.faults, failedFaultKey(event.id)));
    }),
    'put it back at the head of the queue': enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'ask refused') return;
      const placed = placedAsk(context, event.id);
      if (placed === undefined) return;
      const { ask, since, ending } = placed;
      const refusals = placed.refusals + 1;
      const waiting = { ask, since, why: `the router refused it: ${event.says}`, refusals, tryAt: tryAgainAt(event.at, refusals) };
      enqueue.stopChild(event.id);
      enqueue.assign({
        places: withoutPlace(context.places, event.id),
        waiting: ending ? context.waiting : [waiting, ...context.waiting],
      });
      if (ending) return;
      say(enqueue, context, withFault(context.faults, refusedFaultKey(event.id), refusedFault(ask, event.says), event.at));
    }),
    'free its place': enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'ask over') return;
      enqueue.stopChild(event.id);
      enqueue.assign({
        places: withoutPlace(context.places, event.id),
        waiting: context.waiting.some(({ tryAt }) => tryAt > event.at)
          ? context.waiting.map((waiting) => ({ ...waiting, tryAt: Math.min(waiting.tryAt, event.at) }))
          : context.waiting,
      });
      say(enqueue, context, withoutFault(context.faults, refusedFaultKey(event.id)));
    }),
    'tell the ask': enqueueActions(({ event, enqueue }) => {
      switch (event.type) {
        case 'raise acknowledged':
        case 'raise refused':
        case 'end acknowledged':
        case 'record seen': {
          const { id, ...told } = event;
          enqueue.sendTo(id, told);
        }
      }
    }),
    'take it as raised': enqueueActions(({ context, event, enqueue }) => {
      if (event.type === 'raise acknowledged') say(enqueue, context, withoutFault(context.faults, refusedFaultKey(event.id)));
    }),
    'take its record as ended': enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'end acknowledged') return;
      const record = context.records[placeOf(event.id)];
      if (record !== undefined) enqueue.assign({ records: { ...context.records, [placeOf(event.id)]: { ...record, state: 'ended' } } });
    }),
    "remember the router's record": enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'record seen') return;
      const { id, record, at } = event;
      const isUnknown = record === undefined && context.faults[unreadableFaultKey(ASKS, id)] !== undefined;
      const { [placeOf(id)]: _before, ...others } = context.records;
      if (record !== undefined) enqueue.assign({ records: { ...others, [placeOf(id)]: record } });
      else if (!isUnknown && _before !== undefined) enqueue.assign({ records: others });
      const placed = placedAsk(context, id);
      if (placed === undefined) return;
      const held = record !== undefined || isUnknown;
      const now = held ? { ...placed, held, raisedAgain: 0 } : { ...placed, held, lostAt: placed.held ? at : placed.lostAt };
      enqueue.assign({ places: { ...context.places, [placeOf(id)]: now } });
    }),
    'end it where it belongs to nobody': enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'record seen' || event.record?.state !== 'open' || !mayAsk(context)) return;
      if (placedAsk(context, event.id) === undefined) enqueue.emit(endOf(event.id, BELONGS_TO_NOBODY));
    }),
    'note whether the node is braked': enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'node braked') return;
      const { [brakeOf(event.node)]: before, ...braked } = context.braked;
      if (event.braked) enqueue.assign({ braked: { ...braked, [brakeOf(event.node)]: 'braked' } });
      else if (before !== undefined) enqueue.assign({ braked: { ...braked, [brakeOf(event.node)]: 'just released' } });
    }),
    'note that the mesh is judged': enqueueActions(({ enqueue }) => {
      enqueue.assign({ judged: true });
    }),
    'end every ask that belongs to nobody': enqueueActions(({ context, enqueue }) => {
      if (!mayAsk(context)) return;
      const wanted = new Set([...Object.keys(context.places), ...context.waiting.map(({ ask }) => placeOf(ask.id))]);
      for (const [place, { state }] of Object.entries(context.records)) {
        if (state === 'open' && !wanted.has(place)) enqueue.emit(endOf(place.slice(placeOf('').length), BELONGS_TO_NOBODY));
      }
    }),
    'take released nodes as free': enqueueActions(({ context, enqueue }) => {
      const braked = Object.entries(context.braked).filter(([, brake]) => brake === 'braked');
      enqueue.assign({ wakeAt: undefined, braked: Object.fromEntries(braked) });
    }),
    /** A failure brings no time: the last one known of the ask stands for it, and whoever waits is looked at when the clock says so. */
    'set the ask aside': enqueueActions(({ context, event, enqueue }) => {
      if (!isFailure(event)) return;
      const placed = placedAsk(context, event.actorId);
      if (placed === undefined) return;
      const { ask } = placed;
      const threw = event.error instanceof Error ? event.error.message : String(event.error);
      enqueue.stopChild(ask.id);
      const known = Math.max(placed.raisedAt, placed.lostAt, context.routerLoadedAt);
      enqueue.assign({ places: withoutPlace(context.places, ask.id), wakeAt: known });
      enqueue.emit(endOf(ask.id, 'the seat cannot act on an answer to it'));
      enqueue.emit({ type: 'word', to: 'clock', event: { owner: SUPERVISOR, at: known } });
      say(enqueue, context, withFault(context.faults, failedFaultKey(ask.id), failedFault(ask, threw), known));
    }),
    'give free places to those that wait': enqueueActions(({ context, event, enqueue }) => {
      if (!('at' in event) || !mayAsk(context)) return;
      const next = nextAsks(context, event.at);
      if (next.length === 0) return;
      const places: Record<string, PlacedAsk> = { ...context.places };
      for (const waiting of next) {
        places[placeOf(waiting.ask.id)] = placedNow({ ...waiting, held: false }, event.at);
        enqueue.spawnChild('ask', { id: waiting.ask.id, input: { ask: waiting.ask, at: event.at } });
      }
      enqueue.assign({ places, waiting: context.waiting.filter((waiting) => !next.includes(waiting)) });
    }),
    'raise again what the router does not hold': enqueueActions(({ context, event, enqueue }) => {
      if (!('at' in event) || !mayAsk(context)) return;
      const unrecorded = unrecordedAsks(context, event.at);
      if (unrecorded.length === 0) return;
      const places: Record<string, PlacedAsk> = { ...context.places };
      for (const placed of unrecorded) {
        places[placeOf(placed.ask.id)] = { ...placed, raisedAt: event.at, raisedAgain: placed.raisedAgain + 1 };
        enqueue.sendTo(placed.ask.id, { type: 'no record', at: event.at });
      }
      enqueue.assign({ places });
    }),
    'ask to be woken': enqueueActions(({ context, event, enqueue }) => {
      if (!('at' in event)) return;
      const wakeAt = nextDeadline(context, event.at);
      if (wakeAt === context.wakeAt) return;
      enqueue.assign({ wakeAt });
      if (wakeAt !== undefined) enqueue.emit({ type: 'word', to: 'clock', event: { owner: SUPERVISOR, at: wakeAt } });
    }),
  },
});

/** What follows from every event: nothing of it is done while a read is missing, but for the faults. */
const settle = [
  'say which reads are late',
  'give free places to those that wait',
  'raise again what the router does not hold',
  'ask to be woken',
] as const;

/** The whole mesh: the gate before every pass, and the places of the seat's asks at the router (rule groups P and A). */
export const supervisorMachine = base.createMachine({
  id: SUPERVISOR,
  context: ({ input }) => ({
    settings: input ?? { asksOpenMax: 0, askRecordMs: 0 },
    reads: allMissing(0),
    judged: false,
    routerLoadedAt: 0,
    waiting: [],
    places: {},
    records: {},
    braked: {},
    faults: {},
    wakeAt: undefined,
  }),
  initial: 'loading',
  on: {
    'read loaded': { actions: ['note that a read is loaded', ...settle] },
    'read missing': { actions: ['note that a read is missing', ...settle] },
    'seat taken': { actions: ['take every read as missing', ...settle] },
    'entry seen': { guard: 'changes what cannot be read', actions: 'say whether the entry can be read' },
    'key out of shape': { actions: 'say that the key is out of shape' },
    'ask wanted': [
      { guard: 'is being ended', actions: 'tell its key that it is over' },
      { guard: 'is wanted already, or set aside' },
      { guard: 'stands at the router already', actions: ['take up what stands at the router', ...settle] },
      { actions: ['let it wait its turn', ...settle] },
    ],
    'ask dropped': [
      { guard: 'is an ask that waits', actions: ['take it out of the queue', ...settle] },
      { guard: 'is an ask with a place', actions: ['have it ended', ...settle] },
      { actions: 'end what the router still holds of it' },
    ],
    'ask refused': { guard: 'is an ask with a place', actions: ['put it back at the head of the queue', ...settle] },
    'ask over': { guard: 'is an ask with a place', actions: ['free its place', ...settle] },
    'raise acknowledged': { guard: 'is an ask with a place', actions: ['take it as raised', 'tell the ask'] },
    'raise refused': { guard: 'is an ask with a place', actions: 'tell the ask' },
    'end acknowledged': [
      { guard: 'is an ask with a place', actions: ['take its record as ended', 'tell the ask', ...settle] },
      { actions: ['take its record as ended', ...settle] },
    ],
    'record seen': [
      { guard: 'is an ask with a place', actions: ["remember the router's record", 'tell the ask', ...settle] },
      {
        guard: 'stands at the router without a place',
        actions: ["remember the router's record", 'take up what stands at the router', ...settle],
      },
      { actions: ["remember the router's record", 'end it where it belongs to nobody', ...settle] },
    ],
    'node braked': { actions: ['note whether the node is braked', ...settle] },
    due: { actions: ['take released nodes as free', ...settle] },
    'xstate.error.actor.*': { actions: 'set the ask aside' },
  },
  states: {
    loading: {
      description: 'A read that stands before every pass is missing: no node is judged (P1).',
      always: { guard: 'every read before a pass is loaded', target: 'judging' },
    },
    judging: {
      always: { guard: 'a read before a pass is missing', target: 'loading' },
      on: {
        'mesh judged': { actions: ['note that the mesh is judged', 'end every ask that belongs to nobody', ...settle] },
      },
    },
  },
});

/** The gate is open: every read that stands before a pass is loaded. */
export function gateOpen(snapshot: { readonly value?: unknown } | undefined): boolean {
  return snapshot?.value === 'judging';
}

/** What the gate waits for, in the order in which it is listed to people: health, verbs, page and metrics print this list (P5). */
export function missingReads(context: SupervisorContext): readonly { readonly read: Read; readonly since: string; readonly why: string }[] {
  return BEFORE_ANY_PASS.flatMap((read) => {
    const missing = context.reads[read];
    return missing === undefined ? [] : [{ read, since: new Date(missing.since).toISOString(), why: missing.why }];
  });
}

/** Places are given and asks raised again behind the open gate alone, with the router's asks loaded and every node judged. */
function mayAsk({ reads, judged }: SupervisorContext): boolean {
  return judged && reads.asks === undefined && isEveryReadLoaded(reads);
}

function nextDeadline(context: SupervisorContext, at: number): number | undefined {
  if (Object.values(context.braked).includes('just released')) return at;
  const late = Object.values(context.reads).map(({ since }) => since + READ_LATE_MS);
  const asks = mayAsk(context) ? nextAskAt(context, at) : undefined;
  return earliest(asks === undefined ? late : [...late, asks], at);
}

function say(
  enqueue: { emit(emitted: EffectEmitted): void; assign(assignment: { faults: Faults }): void },
  { faults: before }: SupervisorContext,
  faults: Faults,
): void {
  if (faults === before) return;
  for (const emitted of faultEffects(before, faults)) enqueue.emit(emitted);
  enqueue.assign({ faults });
}

function endOf(ask: string, why: string): EffectEmitted {
  return { type: 'effect', about: ask, effect: { kind: 'end', ask, why } };
}

function placedNow(of: { ask: Question; since: number; refusals: number; held: boolean }, at: number): PlacedAsk {
  const { ask, since, refusals, held } = of;
  return { ask, since, raisedAt: at, raisedAgain: 0, refusals, held, lostAt: 0, ending: false };
}

function placedAsk({ places }: SupervisorContext, id: string): PlacedAsk | undefined {
  return places[placeOf(id)];
}

function withoutPlace({ ...places }: Readonly<Record<string, PlacedAsk>>, id: string): Readonly<Record<string, PlacedAsk>> {
  delete (places as Record<string, PlacedAsk>)[placeOf(id)];
  return places;
}

function without(waiting: readonly WaitingAsk[], id: string): readonly WaitingAsk[] {
  return waiting.some(({ ask }) => ask.id === id) ? waiting.filter(({ ask }) => ask.id !== id) : waiting;
}

function isKnown(context: SupervisorContext, id: string): boolean {
  return (
    placedAsk(context, id) !== undefined ||
    context.waiting.some(({ ask }) => ask.id === id) ||
    context.faults[failedFaultKey(id)] !== undefined
  );
}

function isOfFaults({ faults }: SupervisorContext, event: Extract<SupervisorEvent, { type: 'entry seen' }>): boolean {
  const { bucket, key, unreadable } = event;
  if (unreadable !== undefined) return true;
  return faults[unreadableFaultKey(bucket, key)] !== undefined || faults[outOfShapeFaultKey(bucket, key)] !== undefined;
}

function isFailure(event: Event): event is ErrorActorEvent {
  return event.type.startsWith('xstate.error.actor.');
}
