import type { Fault } from '../bus/contracts/faults.ts';
import { keyOf, namesOf } from '../bus/contracts/tokens.ts';
import type { Unreadable } from './facts.ts';
import type { Faults } from './fault-effects.ts';
import type { Missing } from './gate.ts';
import type { Question } from './supervisor-events.ts';
import { sayUnreadable } from './words.ts';

export type Unsaid = Omit<Fault, 'since'>;

/** Buckets whose entries are about one module of one node. */
const OF_PLACES = ['mesh-placement_modules', 'mesh-controller_wants', 'mesh-host_haves'];

export const gateFaultKey = (read: string): string => keyOf('gate', read);
export const refusedFaultKey = (id: string): string => `ask-refused.${id}`;
export const failedFaultKey = (id: string): string => `actor-failed.${id}`;
export const unreadableFaultKey = (bucket: string, key: string): string => `${keyOf('unreadable', bucket)}.${tokensOf(key)}`;
export const outOfShapeFaultKey = (bucket: string, key: string): string => keyOf('out-of-shape', bucket, key);

/** A fault keeps the time at which it was first said. */
export function withFault(faults: Faults, key: string, fault: Unsaid, at: number): Faults {
  return { ...faults, [key]: { ...fault, since: faults[key]?.since ?? new Date(at).toISOString() } };
}

export function withoutFault(faults: Faults, ...keys: readonly string[]): Faults {
  if (keys.every((key) => faults[key] === undefined)) return faults;
  return Object.fromEntries(Object.entries(faults).filter(([key]) => !keys.includes(key)));
}

export function gateFault(read: string, { why }: Missing): Unsaid {
  return {
    kind: 'gate',
    says: read === 'asks' ? 'the read of asks is not loaded: nothing is asked' : `the read of ${read} is not loaded: no node is judged`,
    cause: why,
    clears: `the read of ${read} is loaded`,
  };
}

export function refusedFault(ask: Question, says: string): Unsaid {
  return {
    kind: 'ask-refused',
    node: ask.node,
    key: ask.key,
    says: `the router refused the ask ${ask.id}: ${says}`,
    cause: 'the router has no place for it, or does not take it as it is; it counts as not asked',
    clears: 'the router takes it: it is tried again as a place frees, and with growing pauses',
  };
}

export function failedFault(ask: Question, threw: string): Unsaid {
  return {
    kind: 'actor-failed',
    node: ask.node,
    key: ask.key,
    says: `the ask ${ask.id} was set aside: ${threw}`,
    cause: 'a defect of the seat: an answer to this ask changes nothing; it is ended at the router',
    clears: 'its key is needed again, or the operator asks for the key to be reconsidered',
  };
}

export function unreadableFault(bucket: string, key: string, revision: number, { field, says }: Unreadable): Unsaid {
  const [node, module] = OF_PLACES.includes(bucket) ? (namesOf(key) ?? []) : [];
  return {
    kind: 'unreadable',
    ...(node === undefined || module === undefined ? {} : { node, module }),
    says: sayUnreadable({ bucket, key, revision, field, says }),
    cause: 'whoever wrote it writes another version of this entry, or made a mistake',
    clears: 'the entry is written so that it fits, or deleted',
  };
}

export function outOfShapeFault(bucket: string, key: string, says: string): Unsaid {
  return {
    kind: 'out-of-shape',
    says: `${bucket} has a key out of its shape, ${key}: ${says}`,
    cause: 'whoever wrote it does not make its keys as this bucket has them',
    clears: 'the key is deleted and written as the bucket has them',
  };
}

/** An entry's key as it is where it is made of tokens, else as one token. */
function tokensOf(key: string): string {
  return namesOf(key) === undefined ? keyOf(key) : key;
}
