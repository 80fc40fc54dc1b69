import type { KeyDetail, KeyState, Provision } from '../bus/contracts/provisions.ts';
import type { KeyContext, KeyInput, KeyStanding } from './key-events.ts';
import { sayReason } from './words.ts';

export interface Shown {
  readonly state: KeyState;
  readonly detail: KeyDetail | undefined;
}

/** A key that nothing was judged of yet, or as its own entry on the bus shows it (S61). */
export function initialKey(input: KeyInput | undefined): KeyContext {
  const adopted = input?.adopted;
  return {
    node: input?.node ?? '',
    module: input?.module ?? '',
    key: input?.key ?? '',
    generation: Math.max(input?.generation ?? 1, adopted?.generation ?? 1),
    provider: adopted?.provider,
    bound: true,
    with: adopted?.with ?? {},
    builds: adopted?.builds ?? [],
    dependsOn: adopted?.dependsOn ?? [],
    evidence: adopted?.evidence ?? [],
    blocked: undefined,
    answer: { state: 'unknown', evidence: [] },
    unmet: [],
    providedAt: adopted?.state === 'provided' ? adopted.generation : undefined,
    reason: { because: 'loading' },
    since: input?.at ?? 0,
    unneeded: adopted?.state === 'retiring' ? 'consumer-gone' : undefined,
    dependents: [],
    ask: adopted?.ask,
    proof: null,
    lastWanted: 'unknown',
    approval: undefined,
    proving: false,
    warrant: adopted?.warrant,
    haveAtWarrant: undefined,
    kept: adopted?.detail === 'kept' ? { by: 'the operator', generation: adopted.generation } : undefined,
    shown: '',
  };
}

/** The entry that says how a key stands, as it is written to `mesh-provisioner_provisions`. */
export function entryOf(context: KeyContext, shown: Shown): Provision {
  return {
    state: shown.state,
    ...(shown.detail === undefined ? {} : { detail: shown.detail }),
    why: sayReason(context.reason),
    since: new Date(context.since).toISOString(),
    generation: context.generation,
    ...(context.provider === undefined ? {} : { provider: context.provider }),
    with: context.with as Provision['with'],
    builds: [...context.builds],
    dependsOn: [...context.dependsOn],
    evidence: [...context.evidence, ...context.answer.evidence],
    ...(context.ask === undefined ? {} : { ask: context.ask }),
    ...(context.warrant === undefined ? {} : { warrant: context.warrant }),
  };
}

export function standingOf(context: KeyContext, shown: Shown): KeyStanding {
  return {
    state: shown.state,
    ...(shown.detail === undefined ? {} : { detail: shown.detail }),
    generation: context.generation,
    ...(context.provider === undefined ? {} : { provider: context.provider }),
    bound: context.bound,
    with: context.with,
    dependsOn: context.dependsOn,
    ...(context.unneeded === undefined ? {} : { unneeded: context.unneeded }),
    kept: context.kept !== undefined,
    approved: context.approval !== undefined,
    proving: context.proving,
    ...(shown.detail === 'failed' && context.answer.state === 'failed' ? { failed: context.answer.says } : {}),
  };
}

/** The id of a key's ask: made from the key and its generation, so that raising it twice is one ask (A1). */
export function askId(key: string, generation: number): string {
  return `${key}.g${generation}`;
}
