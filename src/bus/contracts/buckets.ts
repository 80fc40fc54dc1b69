import type { z } from 'zod';
import { AskRecord } from './asks.ts';
import { Outcome } from './bound.ts';
import { Applied, Collected } from './clients.ts';
import { Composition } from './compositions.ts';
import { Fault } from './faults.ts';
import { Have } from './haves.ts';
import { IndexedModule } from './modules.ts';
import { Machine, Placement, Seat } from './placement.ts';
import { Plan } from './plans.ts';
import { Provision } from './provisions.ts';
import { RegistryEntry } from './registry.ts';
import { Holder } from './seat.ts';
import { Snapshot } from './snapshots.ts';
import { boundBucket } from './tokens.ts';
import { Want } from './wants.ts';

/** How many tokens a bucket's keys have, at least and at most, and what each names. */
export interface KeyShape {
  tokens: readonly [least: number, most: number];
  says: string;
}
export interface BucketContract {
  schema: z.ZodType;
  keys: KeyShape;
}

const shape = (least: number, most: number, says: string): KeyShape => ({ tokens: [least, most], says });
const KEY = shape(3, 4, '<node>.<module>.<provision>[.<local>]');
const PLACE = shape(2, 2, '<node>.<module>');

/** Every bucket of the wire by name; a provider's `<provider-module>_bound` is {@link outcomes}. */
export const buckets = {
  'mesh-placement_modules': { schema: Placement, keys: PLACE },
  'mesh-placement_machines': { schema: Machine, keys: shape(1, 1, '<node>') },
  'mesh-placement_seats': { schema: Seat, keys: shape(1, 1, '<seat>') },
  'mesh-controller_wants': { schema: Want, keys: PLACE },
  'mesh-host_haves': { schema: Have, keys: PLACE },
  'mesh-indexer_modules': { schema: IndexedModule, keys: shape(1, 1, '<module>') },
  'mesh-indexer_compositions': { schema: Composition, keys: shape(2, 2, '<module>.<build>') },
  'mesh-router_asks': { schema: AskRecord, keys: shape(1, 8, '<ask id>') },
  'mesh-provisioner_provisions': { schema: Provision, keys: KEY },
  'mesh-provisioner_plans': { schema: Plan, keys: PLACE },
  'mesh-provisioner_registry': { schema: RegistryEntry, keys: shape(1, 1, '<kind>') },
  'mesh-provisioner_faults': { schema: Fault, keys: shape(2, 12, '<kind>.<what>…') },
  'mesh-provisioner_snapshots': { schema: Snapshot, keys: shape(1, 2, 'supervisor, node.<node> or module.<module>') },
  'mesh-provisioner_seat': { schema: Holder, keys: shape(1, 1, 'holder') },
  'mesh-provisioner_applied': { schema: Applied, keys: PLACE },
  'mesh-provisioner_collect': { schema: Collected, keys: shape(3, 3, '<node>.<collection>.<contributor>') },
} as const satisfies Record<string, BucketContract>;
export type Bucket = keyof typeof buckets;

export const outcomes = { schema: Outcome, keys: KEY } as const satisfies BucketContract;

/** The buckets behind each of the five reads of P1, and the seat's own two. */
export const reads = {
  placement: ['mesh-placement_modules', 'mesh-placement_machines', 'mesh-placement_seats'],
  wants: ['mesh-controller_wants'],
  haves: ['mesh-host_haves'],
  modules: ['mesh-indexer_modules'],
  compositions: ['mesh-indexer_compositions'],
  provisions: ['mesh-provisioner_provisions'],
  asks: ['mesh-router_asks'],
} as const satisfies Record<string, readonly Bucket[]>;
export type FixedRead = keyof typeof reads;
/** A read's name: a fixed one, or `bound.<provider-module>`. */
export type Read = FixedRead | `bound.${string}`;

/** The reads that stand before any pass (P1), in the order in which they are listed to people. */
export const gateReads = ['placement', 'wants', 'haves', 'modules', 'compositions', 'provisions'] as const satisfies readonly Read[];

/** The buckets that others write, made by `--create-inputs` alone (P8). */
export const inputBuckets = [...reads.placement, ...reads.wants, ...reads.haves, ...reads.modules, ...reads.compositions] as const;

export function bucketsOf(read: Read): readonly string[] {
  return read.startsWith('bound.') ? [boundBucket(read.slice('bound.'.length))] : reads[read as FixedRead];
}

/** Throws a `RangeError` for a bucket that is not of this wire. */
export function contractOf(bucket: string): BucketContract {
  if (Object.hasOwn(buckets, bucket)) return buckets[bucket as Bucket];
  if (bucket.endsWith(boundBucket(''))) return outcomes;
  throw new RangeError(`${bucket} is no bucket of this wire`);
}
