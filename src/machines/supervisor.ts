import type { Read } from '../bus/contracts/buckets.ts';
import { SUPERVISOR } from './effects.ts';
import { BEFORE_ANY_PASS } from './gate.ts';
import { suspectsOf } from './images.ts';
import { supervisorBase } from './supervisor-base.ts';
import { initialSupervisor, type SupervisorContext } from './supervisor-context.ts';
import { meshActions } from './supervisor-mesh.ts';
import { passActions } from './supervisor-passes.ts';
import { placeActions } from './supervisor-places.ts';
import { readActions } from './supervisor-reads.ts';
import { recordActions } from './supervisor-records.ts';
import { saySuspect } from './suspect-words.ts';

const machine = supervisorBase.extend({ actions: { ...readActions, ...passActions, ...meshActions, ...placeActions, ...recordActions } });

/** What follows from every event: nothing of it is done while a read is missing, but for the faults. */
const settle = [
  'say which reads are late',
  'give free places to those that wait',
  'raise again what the router does not hold',
  'ask to be woken',
] as const;

/** The whole mesh: the gate before every pass, and the places of the seat's asks at the router (rule groups P and A). */
export const supervisorMachine = machine.createMachine({
  id: SUPERVISOR,
  context: ({ input }) => initialSupervisor(input),
  initial: 'loading',
  on: {
    'read loaded': { actions: ['note that a read is loaded', 'say which reads are suspect', ...settle] },
    'read missing': { actions: ['note that a read is missing', ...settle] },
    'seat taken': { actions: ['take every read as missing', ...settle] },
    slept: { actions: ['let the time slept count for nothing', 'take every read as missing', ...settle] },
    'read accepted': { actions: ['believe it', 'say which reads are suspect', ...settle] },
    'entry seen': [
      {
        guard: 'changes how many entries a read has',
        actions: ['count its entries', 'say whether the entry can be read', 'say which reads are suspect', ...settle],
      },
      { guard: 'changes what cannot be read', actions: 'say whether the entry can be read' },
    ],
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
    'node counted': { actions: ['take what the node counts', 'brake the mesh, or release it', ...settle] },
    due: { actions: ['take released nodes as free', 'take the released mesh as free', 'brake the mesh, or release it', ...settle] },
    'xstate.error.actor.*': { actions: 'set the ask aside' },
  },
  states: {
    loading: {
      description: 'A read that stands before every pass is missing, or brought too little: no node is judged (P1, P7).',
      always: { guard: 'the picture is whole', target: 'judging' },
    },
    judging: {
      always: { guard: 'the picture is not whole', target: 'loading' },
      on: {
        'mesh judged': {
          actions: ['note that the mesh is judged', 'brake the mesh, or release it', 'end every ask that belongs to nobody', ...settle],
        },
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
    const missing = context.reads[read] ?? suspectRead(context, read);
    return missing === undefined ? [] : [{ read, since: new Date(missing.since).toISOString(), why: missing.why }];
  });
}

/** A read that was loaded and is not believed has been missing since it was lost. */
function suspectRead({ images }: SupervisorContext, read: Read): { readonly since: number; readonly why: string } | undefined {
  const [first] = suspectsOf(images, read);
  return first && { since: first[1].suspect.after.since, why: saySuspect(images, read) ?? '' };
}
