import { keyOf } from '../bus/contracts/tokens.ts';
import { mostConsumers, remember, wouldRetireTooMany } from './brake.ts';
import { judgePlans, type PlanChange } from './judge-plans.ts';
import type { KeyEvent } from './key-events.ts';
import type { Brake, NodeContext, PassEvent, PassReport } from './node-events.ts';
import { faultsOfPass } from './node-faults.ts';
import type { Unneeded } from './reasons.ts';

/** What a pass decides: a value, computed for a dry run exactly as for a real one. */
export interface Decision {
  readonly born: readonly { readonly key: string; readonly module: string; readonly generation: number }[];
  readonly verdicts: readonly { readonly key: string; readonly event: KeyEvent }[];
  readonly plans: readonly PlanChange[];
  readonly context: Pick<NodeContext, 'unneeded' | 'samples' | 'brake' | 'word' | 'faults' | 'held' | 'wakeAt' | 'plans'>;
  readonly report: PassReport;
}

interface Candidate {
  readonly key: string;
  readonly consumer: string;
  readonly unneeded: Unneeded;
  readonly since: number;
  readonly ready: boolean;
  readonly unasked: boolean;
}

/** Judges every key and plan of a node from one whole picture (rule groups C, K, B). */
export function judge(context: NodeContext, pass: PassEvent): Decision {
  const { composed, at } = pass;
  const sorted = sortKeys(context, pass);
  const plans = judgePlans(context, pass);
  const waiting = sorted.candidates.filter((candidate) => !candidate.unasked);
  const braking = brakeOf(context, pass, waiting);
  const retires = waiting.filter((candidate) => candidate.ready && !braking.stops(candidate.consumer));
  const verdicts = [...sorted.verdicts];
  for (const candidate of sorted.candidates) verdicts.push({ key: candidate.key, event: verdictOf(context, pass, candidate, braking) });
  verdicts.sort((one, other) => (one.key < other.key ? -1 : 1));
  const held =
    Object.keys(composed.consumers).length > 0 && Object.values(composed.consumers).every((consumer) => consumer.hold !== undefined);
  const unneeded = {
    ...Object.fromEntries(sorted.candidates.map(({ key, since }) => [key, dwell(context, key, since)])),
    ...plans.unneeded,
  };
  const stillDwelling = [...sorted.candidates.filter(({ ready }) => !ready), ...Object.values(plans.unneeded)];
  const dwellsEnd = stillDwelling.map(({ since }) => since + context.settings.dwellMs);
  const faults = faultsOfPass(context, pass, braking.brake);
  const brakeFault = faults[`brake.${keyOf(context.node)}`];
  return {
    born: sorted.born,
    verdicts,
    plans: plans.changes,
    context: {
      unneeded,
      samples: braking.samples,
      brake: braking.brake,
      word: braking.word,
      faults,
      held,
      plans: plans.stand,
      wakeAt: earliest([...dwellsEnd, braking.wakeAt, composed.wakeAt], at),
    },
    report: {
      judged: verdicts.length,
      retires: retires.map(({ key }) => key),
      ...(brakeFault === undefined ? {} : { braked: brakeFault }),
    },
  };
}

function dwell(context: NodeContext, key: string, since: number): { since: number; passes: number } {
  return { since, passes: (context.unneeded[key]?.passes ?? 0) + 1 };
}

function earliest(times: readonly (number | undefined)[], at: number): number | undefined {
  const known = times.filter((time) => time !== undefined).map((time) => Math.max(time, at));
  return known.length === 0 ? undefined : Math.min(...known);
}

/** Parts the keys into those whose verdict is plain and those that nothing needs. */
function sortKeys(context: NodeContext, pass: PassEvent) {
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

function verdictOf(context: NodeContext, pass: PassEvent, candidate: Candidate, braking: Braking): KeyEvent {
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

interface Braking {
  readonly brake: Brake | undefined;
  readonly word: NodeContext['word'];
  readonly samples: NodeContext['samples'];
  readonly wakeAt: number | undefined;
  /** Whether the brake keeps this consumer from retiring. */
  stops(consumer: string): boolean;
}

/** The brake of this pass, with what it remembers, its latch and the operator's word (B1–B7). */
function brakeOf(context: NodeContext, pass: PassEvent, candidates: readonly Candidate[]): Braking {
  const { at } = pass;
  const { settings } = context;
  const all = [...new Set(candidates.map(({ consumer }) => consumer))].sort();
  const word = wordOf(context, pass);
  const newly = all.filter((consumer) => word?.consumers.includes(consumer) !== true);
  const uncounted = uncountedOf(context, pass);
  const samples = remember(
    context.samples,
    { at, consumers: [...new Set(Object.keys(context.keys).map(consumerOf))].sort() },
    settings.brakeWindowMs,
  );
  const counts = { newly, before: beforeOf(context, pass), population: mostConsumers(samples, uncounted) };
  const over = wouldRetireTooMany(counts);
  const wouldRetire = candidates.some(({ ready, consumer }) => ready && newly.includes(consumer));
  const brake = latch(context, { at, newly, over, wouldRetire });
  return {
    brake,
    word,
    samples,
    wakeAt: brake?.calmSince === undefined ? undefined : brake.calmSince + settings.brakeSettleMs,
    stops: (consumer) => brake !== undefined && word?.consumers.includes(consumer) !== true,
  };
}

/** Once braked, braked until nothing would retire, or the set stood unchanged and under the limit long enough (B5). */
function latch(
  context: NodeContext,
  now: { at: number; newly: readonly string[]; over: boolean; wouldRetire: boolean },
): Brake | undefined {
  const { brake, settings } = context;
  if (now.newly.length === 0) return undefined;
  if (brake === undefined) return now.over && now.wouldRetire ? { since: now.at, consumers: now.newly } : undefined;
  if (now.over) return { since: brake.since, consumers: now.newly };
  const unchanged =
    now.newly.length === brake.consumers.length && now.newly.every((consumer, index) => consumer === brake.consumers[index]);
  const calmSince = unchanged && brake.calmSince !== undefined ? brake.calmSince : now.at;
  return now.at - calmSince >= settings.brakeSettleMs ? undefined : { since: brake.since, consumers: now.newly, calmSince };
}

function wordOf(context: NodeContext, pass: PassEvent): NodeContext['word'] {
  if (pass.word !== undefined && context.brake !== undefined) {
    return { consumers: context.brake.consumers, until: pass.at + context.settings.wordMs, by: pass.word.by };
  }
  return context.word !== undefined && context.word.until > pass.at ? context.word : undefined;
}

/** Consumers retiring now, and those retired within the window and not back (B3). */
function beforeOf(context: NodeContext, pass: PassEvent): readonly string[] {
  const covered = (consumer: string) => context.word?.consumers.includes(consumer) === true;
  const retiring = Object.entries(context.keys)
    .filter(([, standing]) => standing.state === 'retiring')
    .map(([key]) => consumerOf(key));
  const retired = Object.entries(context.retired)
    .filter(([consumer, at]) => at > pass.at - context.settings.brakeWindowMs && pass.composed.consumers[consumer] === undefined)
    .map(([consumer]) => consumer);
  return [...new Set([...retiring, ...retired])].filter((consumer) => !covered(consumer));
}

function uncountedOf(context: NodeContext, pass: PassEvent): ReadonlySet<string> {
  const uncounted = new Set(
    Object.entries(pass.composed.consumers)
      .filter(([, { hold }]) => hold !== undefined)
      .map(([consumer]) => consumer),
  );
  const notKept = new Set(
    Object.entries(context.keys)
      .filter(([, standing]) => !standing.kept)
      .map(([key]) => consumerOf(key)),
  );
  for (const key of Object.keys(context.keys)) if (!notKept.has(consumerOf(key))) uncounted.add(consumerOf(key));
  return uncounted;
}

export function consumerOf(key: string): string {
  return key.split('.', 2).join('.');
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
