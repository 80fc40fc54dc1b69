import { type PlacedAsk, placeOf, unrecordedAsks } from './ask-queue.ts';
import { supervisorBase } from './supervisor-base.ts';
import { endOf, mayAsk, placedAsk, say } from './supervisor-context.ts';
import { failedFaultKey, refusedFaultKey, unreadableFaultKey, withoutFault } from './supervisor-faults.ts';

const ASKS = 'mesh-router_asks';
const BELONGS_TO_NOBODY = 'no key that is retiring asks this any more';

/** What the supervisor does about the router's own record of its asks (A2, A3). */
export const recordActions = {
  'tell the ask': supervisorBase.enqueueActions(({ event, enqueue }) => {
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
  'take it as raised': supervisorBase.enqueueActions(({ context, event, enqueue }) => {
    if (event.type === 'raise acknowledged') say(enqueue, context, withoutFault(context.faults, refusedFaultKey(event.id)));
  }),
  "remember the router's record": supervisorBase.enqueueActions(({ context, event, enqueue }) => {
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
  'take its record as ended': supervisorBase.enqueueActions(({ context, event, enqueue }) => {
    if (event.type !== 'end acknowledged') return;
    const record = context.records[placeOf(event.id)];
    if (record !== undefined) enqueue.assign({ records: { ...context.records, [placeOf(event.id)]: { ...record, state: 'ended' } } });
  }),
  'end what the router still holds of it': supervisorBase.enqueueActions(({ context, event, enqueue }) => {
    if (event.type !== 'ask dropped') return;
    const record = context.records[placeOf(event.id)];
    if (record !== undefined && record.state !== 'ended') enqueue.emit(endOf(event.id, event.why));
    say(enqueue, context, withoutFault(context.faults, failedFaultKey(event.id)));
  }),
  'end it where it belongs to nobody': supervisorBase.enqueueActions(({ context, event, enqueue }) => {
    if (event.type !== 'record seen' || event.record?.state !== 'open' || !mayAsk(context)) return;
    if (placedAsk(context, event.id) === undefined) enqueue.emit(endOf(event.id, BELONGS_TO_NOBODY));
  }),
  'end every ask that belongs to nobody': supervisorBase.enqueueActions(({ context, enqueue }) => {
    if (!mayAsk(context)) return;
    const wanted = new Set([...Object.keys(context.places), ...context.waiting.map(({ ask }) => placeOf(ask.id))]);
    for (const [place, { state }] of Object.entries(context.records)) {
      if (state === 'open' && !wanted.has(place)) enqueue.emit(endOf(place.slice(placeOf('').length), BELONGS_TO_NOBODY));
    }
  }),
  'raise again what the router does not hold': supervisorBase.enqueueActions(({ context, event, enqueue }) => {
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
};
