import type { ErrorActorEvent } from 'xstate';
import { nextAsks, type PlacedAsk, placeOf, tryAgainAt, type WaitingAsk } from './ask-queue.ts';
import { nodeRoot, SUPERVISOR } from './effects.ts';
import { queueAfterSleep } from './slept.ts';
import { type SupervisorInbox, supervisorBase } from './supervisor-base.ts';
import { endOf, mayAsk, placedAsk, say } from './supervisor-context.ts';
import type { Question } from './supervisor-events.ts';
import { failedFault, failedFaultKey, refusedFault, refusedFaultKey, withFault, withoutFault } from './supervisor-faults.ts';

const NO_PLACE_YET = 'it waits for a place at the router';

/** What the supervisor does about the places of its asks at the router, and those that wait for one (A2). */
export const placeActions = {
  'let the time slept count for nothing': supervisorBase.enqueueActions(({ context, event, enqueue }) => {
    if (event.type === 'slept') enqueue.assign(queueAfterSleep(context, event.forMs));
  }),
  'let it wait its turn': supervisorBase.enqueueActions(({ context, event, enqueue }) => {
    if (event.type !== 'ask wanted') return;
    const waiting: WaitingAsk = { ask: event.ask, since: event.at, why: NO_PLACE_YET, refusals: 0, tryAt: event.at };
    enqueue.assign({ waiting: [...context.waiting, waiting] });
  }),
  'take it out of the queue': supervisorBase.enqueueActions(({ context, event, enqueue }) => {
    if (event.type !== 'ask dropped') return;
    enqueue.assign({ waiting: without(context.waiting, event.id) });
    say(enqueue, context, withoutFault(context.faults, refusedFaultKey(event.id)));
  }),
  'give free places to those that wait': supervisorBase.enqueueActions(({ context, event, enqueue }) => {
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
  'take up what stands at the router': supervisorBase.enqueueActions(({ context, event, enqueue }) => {
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
  'tell its key that it is over': supervisorBase.enqueueActions(({ event, enqueue }) => {
    if (event.type !== 'ask wanted') return;
    const { ask, at } = event;
    enqueue.emit({ type: 'word', to: nodeRoot(ask.node), event: { type: 'ask ended elsewhere', at, key: ask.key, ask: ask.id } });
  }),
  'have it ended': supervisorBase.enqueueActions(({ context, event, enqueue }) => {
    if (event.type !== 'ask dropped') return;
    const placed = placedAsk(context, event.id);
    if (placed === undefined || placed.ending) return;
    enqueue.assign({ places: { ...context.places, [placeOf(event.id)]: { ...placed, ending: true } } });
    enqueue.sendTo(event.id, { type: 'end', at: event.at, why: event.why });
    say(enqueue, context, withoutFault(context.faults, refusedFaultKey(event.id)));
  }),
  'free its place': supervisorBase.enqueueActions(({ context, event, enqueue }) => {
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
  'put it back at the head of the queue': supervisorBase.enqueueActions(({ context, event, enqueue }) => {
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
  /** A failure brings no time: the last one known of the ask stands for it, and whoever waits is looked at when the clock says so. */
  'set the ask aside': supervisorBase.enqueueActions(({ context, event, enqueue }) => {
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
};

function placedNow(of: { ask: Question; since: number; refusals: number; held: boolean }, at: number): PlacedAsk {
  const { ask, since, refusals, held } = of;
  return { ask, since, raisedAt: at, raisedAgain: 0, refusals, held, lostAt: 0, ending: false };
}

function withoutPlace({ ...places }: Readonly<Record<string, PlacedAsk>>, id: string): Readonly<Record<string, PlacedAsk>> {
  delete (places as Record<string, PlacedAsk>)[placeOf(id)];
  return places;
}

function without(waiting: readonly WaitingAsk[], id: string): readonly WaitingAsk[] {
  return waiting.some(({ ask }) => ask.id === id) ? waiting.filter(({ ask }) => ask.id !== id) : waiting;
}

function isFailure(event: SupervisorInbox): event is ErrorActorEvent {
  return event.type.startsWith('xstate.error.actor.');
}
