import type { Place } from '../bus/contracts/common.ts';
import { boundBucket, keyOf } from '../bus/contracts/tokens.ts';
import type { Answer } from './composed.ts';
import { evidenceOf } from './evidence.ts';
import { bucketOf, type Picture } from './picture.ts';

/** What a key's provider says of it: its outcome where it is bound, else how the provider itself is (K1, K2). */
export function answerOf(
  picture: Picture,
  of: { readonly key: string; readonly provider?: Place | undefined; readonly bound?: boolean | undefined },
): Answer {
  if (of.provider === undefined) return { state: 'none', proven: false, evidence: [] };
  return of.bound ? outcomeOf(picture, of.key, of.provider.module) : howItIs(picture, of.provider);
}

function outcomeOf(picture: Picture, key: string, provider: string): Answer {
  const bucket = boundBucket(provider);
  const evidence = picture.evidence(bucket, key);
  if (!picture.outcomes.isLoaded(bucket)) return { state: 'unknown', evidence };
  const outcome = picture.outcome(provider, key);
  if (outcome === undefined) return { state: 'none', proven: picture.outcomes.isProven(bucket, key), evidence };
  if (outcome.value === undefined) return { state: 'unknown', evidence };
  const { state, generation, why = '' } = outcome.value;
  return { state, generation, says: why, evidence };
}

function howItIs(picture: Picture, provider: Place): Answer {
  const key = keyOf(provider.node, provider.module);
  const [have, want] = [picture.entry('have', key), picture.entry('want', key)];
  const evidence = evidenceOf(picture.evidence(bucketOf.have, key), picture.evidence(bucketOf.want, key));
  if (have?.unreadable !== undefined || want?.unreadable !== undefined) return { state: 'unknown', evidence };
  const says = (state: 'provided' | 'failed' | 'waits', says: string): Answer => ({ state, generation: 'every', says, evidence });
  if (have?.value === undefined) return says('waits', 'does not run');
  const { state, build, why } = have.value;
  if (state === 'failed') return says('failed', why ?? 'failed');
  if (state !== 'healthy') return says('waits', why ?? `is ${state}`);
  if (want?.value === undefined) return says('waits', `runs ${build} and is not wanted`);
  return build === want.value.build ? says('provided', why ?? '') : says('waits', `runs ${build}, not ${want.value.build} as wanted`);
}
