import type { Draft } from 'immer';
import type { Answer, NeededKey } from './composed.ts';
import type { KeyContext } from './key-events.ts';
import type { BlockReason } from './reasons.ts';

type Key = Draft<KeyContext>;

/** Takes what is needed now; the generation rises where other words are asked, or another provider (K5). */
export function takeNeed(key: Key, need: NeededKey, unmet: readonly string[]): void {
  const again = key.unneeded !== undefined || key.kept !== undefined;
  const keepsWith = need.unfilled.length > 0 && key.providedAt === key.generation;
  const words = keepsWith ? key.with : need.with;
  const wasAsked = key.provider !== undefined;
  const other = wasAsked && need.provider !== undefined && (!same(key.provider, need.provider) || !same(key.with, words));
  if (again || other) {
    key.generation += 1;
    key.providedAt = undefined;
    if (other) key.answer = { state: 'none', proven: false, evidence: [] };
  }
  key.unneeded = undefined;
  key.kept = undefined;
  key.approval = undefined;
  key.proving = false;
  key.warrant = undefined;
  key.haveAtWarrant = undefined;
  key.ask = undefined;
  if (need.provider !== undefined) key.provider = need.provider;
  key.bound = need.bound;
  key.with = words;
  key.builds = [...need.builds];
  if (need.dependsOn !== undefined) key.dependsOn = [...need.dependsOn];
  key.evidence = [...need.evidence];
  key.blocked = blockOf(need, keepsWith) as Key['blocked'];
  key.unmet = [...unmet];
  takeAnswer(key, need.answer);
}

function blockOf(need: NeededKey, keepsWith: boolean): BlockReason | undefined {
  if (need.blocked !== undefined) return need.blocked;
  return need.unfilled.length > 0 && !keepsWith ? { because: 'unfilled', placeholders: need.unfilled } : undefined;
}

/** An outcome that cannot be read leaves the key as it is (K1). */
export function takeAnswer(key: Key, answer: Answer): void {
  if (answer.state === 'unknown') {
    if (key.answer.state === 'unknown') key.answer = answer as Draft<Answer>;
    return;
  }
  key.answer = answer as Draft<Answer>;
  if (answer.state === 'none' || (answer.state === 'failed' && answers(key))) key.providedAt = undefined;
}

/** The outcome is of the key's present generation (K1); a have answers every one (K2). */
export function answers(key: Pick<KeyContext, 'answer' | 'generation'>): boolean {
  const { answer } = key;
  return 'generation' in answer && (answer.generation === 'every' || answer.generation === key.generation);
}

/** An outcome of this generation says provided, and all it depends on is, or it was provided before (K1, K3). */
export function isProvided(key: KeyContext): boolean {
  const was = key.providedAt === key.generation;
  if (was && key.answer.state === 'unknown') return true;
  return key.answer.state === 'provided' && answers(key) && (was || (key.unmet.length === 0 && key.blocked === undefined));
}

/** It was provided and its provider waits: it stays provided (K4). */
export function isWaiting(key: KeyContext): boolean {
  return key.providedAt === key.generation && key.answer.state === 'waits' && answers(key);
}

export function isBlocked(key: KeyContext): boolean {
  return key.blocked !== undefined || key.unmet.length > 0;
}

export function hasFailed(key: KeyContext): boolean {
  return key.answer.state === 'failed' && answers(key);
}

/** What the provider made is gone: its outcome was deleted, or its have after the warrant is healthy (K7). */
export function isLetGo(key: KeyContext): boolean {
  if (key.bound) return key.answer.state === 'none' && key.answer.proven;
  return key.answer.state === 'provided' && key.haveAtWarrant !== undefined && haveRevision(key) > key.haveAtWarrant;
}

export function haveRevision(key: Pick<KeyContext, 'answer'>): number {
  return Math.max(0, ...key.answer.evidence.filter((entry) => entry.bucket === 'mesh-host_haves').map((entry) => entry.revision));
}

function same(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, part]) => [name, sorted(part)]),
  );
}
