import { type Candidate, consumerOf } from './candidate.ts';
import type { KeyEvent } from './key-events.ts';
import type { Braking } from './node-brake.ts';
import type { NodeContext, PassEvent } from './node-events.ts';

/** Parts the keys into those whose verdict is plain and those that nothing needs. */
export function sortKeys(context: NodeContext, pass: PassEvent) {
  const { composed, at } = pass;
  const born: { key: string; module: string; generation: number }[] = [];
  const verdicts: { key: string; event: KeyEvent }[] = [];
  const candidates: Candidate[] = [];
  const principals = principalsOf(context);
  for (const [key, need] of Object.entries(composed.needs)) {
    const standing = context.keys[key];
    if (standing === undefined)
      born.push({ key, module: need.module, generation: Math.max(context.generations[key] ?? 0, pass.floors[key] ?? 0) + 1 });
    if (need.leave && standing !== undefined) continue;
    const depends = need.dependsOn ?? standing?.dependsOn ?? [];
    verdicts.push({
      key,
      event: { type: 'needed', at, need, unmet: depends.filter((other) => context.acknowledged[other] !== 'provided') },
    });
  }
  for (const key of Object.keys(context.keys).sort()) {
    if (composed.needs[key] !== undefined) continue;
    const leading = (principals[key] ?? []).filter((principal) => context.keys[principal] !== undefined);
    const event = plainVerdict(context, pass, key, leading);
    if (event === 'candidate') candidates.push(candidateOf(context, pass, key));
    else for (const each of event) verdicts.push({ key, event: each });
  }
  return { born, verdicts, candidates };
}

function plainVerdict(context: NodeContext, pass: PassEvent, key: string, leading: readonly string[]): readonly KeyEvent[] | 'candidate' {
  const { at, composed } = pass;
  const standing = context.keys[key];
  const consumer = composed.consumers[consumerOf(key)];
  if (standing === undefined) return [];
  if (leading.some((principal) => composed.needs[principal] !== undefined)) return [];
  if (consumer?.hold !== undefined) return [{ type: 'hold', at, reason: consumer.hold }];
  if (standing.kept || leading.some((principal) => context.keys[principal]?.kept === true)) {
    return standing.kept ? [] : [{ type: 'hold', at, reason: { because: 'kept', by: 'the operator', generation: standing.generation } }];
  }
  if (standing.state === 'retiring') {
    const back = standing.unneeded === 'consumer-gone' && consumer !== undefined;
    if (!back) return retiringVerdicts(context, pass, key);
  }
  return 'candidate';
}

function retiringVerdicts(context: NodeContext, pass: PassEvent, key: string): readonly KeyEvent[] {
  const { at } = pass;
  const events: KeyEvent[] = [];
  const answer = pass.answers[key];
  if (context.keys[key]?.detail === undefined)
    events.push({
      type: 'retire',
      at,
      unneeded: 'consumer-gone',
      dependents: dependentsOf(context, key),
      proof: proofOf(pass, key),
      lastWanted: '',
    });
  if (answer !== undefined) events.push({ type: 'answered', at, answer });
  if (pass.providerGone.includes(key)) events.push({ type: 'provider gone', at });
  return events;
}

function candidateOf(context: NodeContext, pass: PassEvent, key: string): Candidate {
  const memory = context.unneeded[key];
  const since = memory?.since ?? pass.at;
  const passes = (memory?.passes ?? 0) + 1;
  return {
    key,
    consumer: consumerOf(key),
    unneeded: pass.composed.consumers[consumerOf(key)] === undefined ? 'consumer-gone' : 'need-dropped',
    since,
    ready: pass.at - since >= context.settings.dwellMs && passes >= 2,
    unasked: context.keys[key]?.provider === undefined,
  };
}

/** What becomes of a key that nothing needs (B1, B7, K7). */
export function verdictOf(context: NodeContext, pass: PassEvent, candidate: Candidate, braking: Braking): KeyEvent {
  const { at } = pass;
  const { key, since } = candidate;
  if (candidate.unasked && candidate.ready) return { type: 'forget', at };
  if (!candidate.unasked && braking.stops(candidate.consumer) && braking.brake !== undefined) {
    return { type: 'hold', at, reason: { because: 'braked', consumers: braking.brake.consumers } };
  }
  if (!candidate.ready) return { type: 'hold', at, reason: { because: 'dwelling', until: since + context.settings.dwellMs } };
  return {
    type: 'retire',
    at,
    unneeded: candidate.unneeded,
    dependents: dependentsOf(context, key),
    proof: proofOf(pass, key),
    lastWanted: '',
  };
}

/** Keys that depend on this one and are still there (C6). */
export function dependentsOf(context: NodeContext, key: string): readonly string[] {
  return Object.entries(context.keys)
    .filter(([, standing]) => standing.dependsOn.includes(key))
    .map(([other]) => other);
}

function principalsOf(context: NodeContext): Readonly<Record<string, readonly string[]>> {
  const principals: Record<string, string[]> = {};
  for (const [key, standing] of Object.entries(context.keys)) {
    for (const other of standing.dependsOn) principals[other] = [...(principals[other] ?? []), key];
  }
  return principals;
}

function proofOf(pass: PassEvent, key: string): unknown {
  const consumer = pass.composed.consumers[consumerOf(key)];
  return {
    absent: consumer === undefined ? ['placement', 'want', 'have'] : ['need'],
    evidence: consumer?.evidence ?? [],
    at: new Date(pass.at).toISOString(),
  };
}
