import type { Read } from '../bus/contracts/buckets.ts';
import { boundBucket } from '../bus/contracts/tokens.ts';
import { BEFORE_ANY_PASS, WATCHED_READS } from '../machines/gate.ts';
import { missingReads } from '../machines/supervisor.ts';
import type { Kernel } from './kernel.ts';

/** One read, and why it is missing where it is (P5). `since` is a time. */
export interface StandingRead {
  readonly read: Read;
  /** The gate waits for it; the others hold back only what depends on them (P1). */
  readonly isOfGate: boolean;
  readonly missing?: { readonly why: string; readonly since?: string };
}

/** Every read of the seat in the order in which it is listed to people: those of the gate, the router's asks, each provider's outcomes. */
export function standingReads(kernel: Kernel): readonly StandingRead[] {
  const missing = new Map(missingReads(kernel.supervisor).map(({ read, since, why }) => [read, { why, since }]));
  const { asks } = kernel.supervisor.reads;
  if (asks !== undefined) missing.set('asks', { why: asks.why, since: new Date(asks.since).toISOString() });
  const fixed = WATCHED_READS.map((read) => {
    const found = missing.get(read);
    const isOfGate = (BEFORE_ANY_PASS as readonly Read[]).includes(read);
    return { read, isOfGate, ...(found === undefined ? {} : { missing: found }) };
  });
  const bound = [...kernel.picture.boundProviders()].sort().map((module): StandingRead => {
    const isLoaded = kernel.picture.outcomes.isLoaded(boundBucket(module));
    return {
      read: `bound.${module}`,
      isOfGate: false,
      ...(isLoaded ? {} : { missing: { why: `bucket ${boundBucket(module)} is not loaded` } }),
    };
  });
  return [...fixed, ...bound];
}
