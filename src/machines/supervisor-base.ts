import { type ErrorActorEvent, setup } from 'xstate';
import { askMachine } from './ask.ts';
import { placeOf } from './ask-queue.ts';
import { isPictureWhole } from './gate.ts';
import { holdsOther } from './images.ts';
import { placedAsk, type SupervisorContext, type SupervisorEmitted, type SupervisorSettings } from './supervisor-context.ts';
import type { SupervisorEvent } from './supervisor-events.ts';
import { failedFaultKey, outOfShapeFaultKey, unreadableFaultKey } from './supervisor-faults.ts';

export type SupervisorInbox = SupervisorEvent | ErrorActorEvent;

/** What the supervisor is made of: its types, the asks it starts, and what it asks itself before it acts. */
export const supervisorBase = setup({
  types: {
    context: {} as SupervisorContext,
    events: {} as SupervisorInbox,
    emitted: {} as SupervisorEmitted,
    input: {} as SupervisorSettings | undefined,
  },
  actors: { ask: askMachine },
  guards: {
    'the picture is whole': ({ context }) => isPictureWhole(context),
    'the picture is not whole': ({ context }) => !isPictureWhole(context),
    'changes how many entries a read has': ({ context, event }) => event.type === 'entry seen' && isOfImages(context, event),
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
});

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

/** While its read is missing, what comes is the image of its next load. */
function isOfImages({ reads, images }: SupervisorContext, { bucket, entries }: Extract<SupervisorEvent, { type: 'entry seen' }>): boolean {
  const read = images[bucket]?.read;
  return read !== undefined && reads[read] === undefined && holdsOther(images, bucket, entries);
}
