import { allMissing, isPictureWhole, isWatched, READ_LATE_MS, WATCHED_READS, withLoaded, withMissing } from './gate.ts';
import { COMPARED_READS, withAccepted, withEntries, withLoad } from './images.ts';
import { sayAsleep } from './slept.ts';
import { supervisorBase } from './supervisor-base.ts';
import { say } from './supervisor-context.ts';
import {
  gateFault,
  gateFaultKey,
  outOfShapeFault,
  outOfShapeFaultKey,
  unreadableFault,
  unreadableFaultKey,
  withFault,
  withoutFault,
} from './supervisor-faults.ts';
import { suspectFault, suspectFaultKey } from './suspect-words.ts';

/** What the supervisor does about the reads: which are missing, and what they brought that cannot be read (rule group P). */
export const readActions = {
  'note that a read is loaded': supervisorBase.enqueueActions(({ context, event, enqueue }) => {
    if (event.type !== 'read loaded') return;
    const { read, streams, at } = event;
    const { since, lost } = context.reads[read] ?? { since: at, lost: 'nobody knows why' };
    const isRouter = read === 'asks' && context.reads.asks !== undefined;
    enqueue.assign({
      reads: withLoaded(context.reads, read),
      images: withLoad(context.images, read, streams, { since, why: lost }),
      ...(isRouter ? { routerLoadedAt: event.at } : {}),
    });
  }),
  'note that a read is missing': supervisorBase.enqueueActions(({ context, event, enqueue }) => {
    if (event.type !== 'read missing' || !isWatched(event.read)) return;
    const reads = withMissing(context.reads, event.read, event.at, event.why);
    enqueue.assign({ reads, judged: context.judged && isPictureWhole({ ...context, reads }) });
  }),
  'take every read as missing': supervisorBase.enqueueActions(({ event, enqueue }) => {
    if (!('at' in event)) return;
    const reads = event.type === 'slept' ? allMissing(event.at, sayAsleep(event.forMs)) : allMissing(event.at);
    enqueue.assign({ reads, judged: false, wakeAt: undefined });
  }),
  'count its entries': supervisorBase.enqueueActions(({ context, event, enqueue }) => {
    if (event.type === 'entry seen') enqueue.assign({ images: withEntries(context.images, event.bucket, event.entries) });
  }),
  'believe it': supervisorBase.enqueueActions(({ context, event, enqueue }) => {
    if (event.type === 'read accepted') enqueue.assign({ images: withAccepted(context.images, event.read) });
  }),
  'say which reads are suspect': supervisorBase.enqueueActions(({ context, event, enqueue }) => {
    if (!('at' in event)) return;
    let { faults } = context;
    for (const read of COMPARED_READS) {
      const fault = suspectFault(context.images, read);
      faults =
        fault === undefined ? withoutFault(faults, suspectFaultKey(read)) : withFault(faults, suspectFaultKey(read), fault, event.at);
    }
    say(enqueue, context, faults);
  }),
  'say which reads are late': supervisorBase.enqueueActions(({ context, event, enqueue }) => {
    if (!('at' in event)) return;
    let { faults } = context;
    for (const read of WATCHED_READS) {
      const missing = context.reads[read];
      if (missing === undefined) faults = withoutFault(faults, gateFaultKey(read));
      else if (missing.since + READ_LATE_MS <= event.at) faults = withFault(faults, gateFaultKey(read), gateFault(read, missing), event.at);
    }
    say(enqueue, context, faults);
  }),
  'say whether the entry can be read': supervisorBase.enqueueActions(({ context, event, enqueue }) => {
    if (event.type !== 'entry seen') return;
    const { bucket, key, revision, unreadable, at } = event;
    const name = unreadableFaultKey(bucket, key);
    const without = withoutFault(context.faults, name, outOfShapeFaultKey(bucket, key));
    if (unreadable === undefined) return say(enqueue, context, without);
    say(enqueue, context, withFault(context.faults, name, unreadableFault(bucket, key, revision, unreadable), at));
  }),
  'say that the key is out of shape': supervisorBase.enqueueActions(({ context, event, enqueue }) => {
    if (event.type !== 'key out of shape') return;
    const { bucket, key, says, at } = event;
    say(enqueue, context, withFault(context.faults, outOfShapeFaultKey(bucket, key), outOfShapeFault(bucket, key, says), at));
  }),
};
