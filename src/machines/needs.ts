import type { Evidence, Place } from '../bus/contracts/common.ts';
import type { Need } from '../bus/contracts/compositions.ts';
import { boundBucket, keyOf, namesOf } from '../bus/contracts/tokens.ts';
import { answerOf } from './answers.ts';
import type { NeededKey } from './composed.ts';
import type { Considered } from './consumers.ts';
import { evidenceOf } from './evidence.ts';
import type { Pass } from './pass.ts';
import { bucketOf, VAULT } from './picture.ts';
import { placedValue } from './placed.ts';
import { fill, type Placeholder } from './placeholders.ts';
import { offerOf, providerOf, vaultOf } from './providers.ts';
import type { BlockReason } from './reasons.ts';

/** A need of a consumer, in the words that are asked, and the builds that have it (C2). */
export interface Wording {
  readonly key: string;
  readonly consumer: Considered;
  readonly need: Need;
  readonly builds: readonly string[];
}

/** The needed keys of a node, by key and by module. */
export class Needs {
  readonly byKey = new Map<string, NeededKey>();
  readonly #ofModule = new Map<string, NeededKey[]>();

  add(need: NeededKey): void {
    this.byKey.set(need.key, need);
    const needs = this.#ofModule.get(need.module);
    if (needs === undefined) this.#ofModule.set(need.module, [need]);
    else needs.push(need);
  }

  get(key: string): NeededKey | undefined {
    return this.byKey.get(key);
  }

  of(module: string): readonly NeededKey[] {
    return this.#ofModule.get(module) ?? [];
  }
}

/** A need as a key: its provider, what it depends on and what is asked of it (C5, C6). */
export function neededKey(pass: Pass, { key, consumer, need, builds }: Wording): NeededKey {
  const { picture, node, at, dwellMs } = pass;
  const before = pass.standing.keys[key];
  const { provision, local } = need;
  const { provider, blocked, lookAgainAt } = providerOf(
    picture,
    { node, provision, provider: need.provider },
    before?.provider,
    at,
    dwellMs,
  );
  if (lookAgainAt !== undefined) pass.lookAgainAt(lookAgainAt);
  if (blocked !== undefined) pass.provisions.add(provision);
  const credential = provider === undefined ? {} : credentialOf(pass, consumer.place, need, provider);
  const asked = askedWith(pass, consumer, need, credential.dependsOn ?? before?.dependsOn ?? []);
  const keptWith = asked.unfilled.length > 0 && before?.provided === true;
  const why = blocked ?? credential.blocked ?? (keptWith ? undefined : unfilled(asked.unfilled));
  const offered = provider && offerOf(picture, provider, provision);
  const bound = offered === undefined ? before?.bound : offered.offer.bound === true;
  return {
    key,
    module: consumer.place.module,
    provision,
    ...(local !== undefined && { local }),
    ...(provider && { provider }),
    bound: bound ?? false,
    ...(why && { blocked: why }),
    leave: asked.leave,
    with: keptWith ? before.with : asked.with,
    unfilled: asked.unfilled,
    builds: [...builds].sort(),
    ...(credential.dependsOn && { dependsOn: credential.dependsOn }),
    answer:
      provider !== undefined && bound === undefined ? { state: 'unknown', evidence: [] } : answerOf(picture, { key, provider, bound }),
    evidence: evidenceOf(pass.evidenceOf(consumer, provider), ...asked.evidence),
  };
}

/** A key that another one depends on: a credential, kept by the vault and judged by its outcome (C6). */
export function neededDependency(pass: Pass, key: string, of: NeededKey): NeededKey {
  const { picture } = pass;
  const [, module, provision, local] = namesOf(key) as [string, string, string, string?];
  const before = pass.standing.keys[key];
  const { provider, blocked, leave } = vaultOf(picture, before?.provider);
  pass.seats.add(VAULT);
  return {
    key,
    module,
    provision,
    ...(local !== undefined && { local }),
    ...(provider && { provider }),
    bound: true,
    ...(blocked && { blocked }),
    leave,
    with: before?.with ?? {},
    unfilled: [],
    builds: of.builds,
    dependsOn: [],
    answer: answerOf(picture, { key, provider, bound: true }),
    evidence: evidenceOf(of.evidence, picture.evidence(bucketOf.seat, keyOf(VAULT))),
  };
}

/** What the offer's credential form makes a key depend on; nothing where the offer cannot be read or says no form. */
function credentialOf(pass: Pass, { node, module }: Place, { provision, local }: Need, provider: Place) {
  const offered = offerOf(pass.picture, provider, provision);
  if (offered === undefined) return {};
  const { credential } = offered.offer;
  if (credential === undefined) {
    pass.offerFaults.push({ provider, provision, build: offered.build });
    return { blocked: { because: 'no-credential-form', provision, provider } as const };
  }
  return { dependsOn: credential === 'none' ? [] : [keyOf(node, module, `secret-${provision}`, ...(local === undefined ? [] : [local]))] };
}

/** `with` as far as placement and the outcomes of dependencies fill it (C6). */
function askedWith(pass: Pass, { key, place }: Considered, need: Need, dependsOn: readonly string[]) {
  const evidence: (readonly Evidence[])[] = [];
  let leave = false;
  const { value, unfilled } = fill(need.with ?? {}, (placeholder) => {
    if (placeholder.kind === 'bound') return dependencyValue(pass, place, placeholder, dependsOn, evidence);
    const placed = placedValue(pass.picture, key, placeholder);
    evidence.push(placed?.evidence ?? []);
    if (placed?.seat !== undefined) pass.seats.add(placed.seat);
    if (placed?.seat !== undefined && placed.unreadable) leave = true;
    return placed?.value;
  });
  return { with: value as Readonly<Record<string, unknown>>, unfilled, leave, evidence };
}

/** `<provision>.<field>` or `<provision>.<local>.<field>` of a dependency that is provided at its present generation. */
function dependencyValue(
  pass: Pass,
  { node, module }: Place,
  { name }: Placeholder,
  dependsOn: readonly string[],
  evidence: (readonly Evidence[])[],
): string | undefined {
  const names = name.split('.');
  const field = names.pop();
  if (field === undefined || names.length === 0 || names.length > 2 || names.includes('')) return undefined;
  const key = keyOf(node, module, ...names);
  if (!dependsOn.includes(key)) return undefined;
  pass.outcomes.add(key);
  const { provider } = vaultOf(pass.picture, pass.standing.keys[key]?.provider);
  if (provider === undefined || !pass.picture.outcomes.isLoaded(boundBucket(provider.module))) return undefined;
  evidence.push(pass.picture.evidence(boundBucket(provider.module), key));
  const outcome = pass.picture.outcome(provider.module, key)?.value;
  if (outcome?.state !== 'provided' || outcome.generation !== pass.standing.keys[key]?.generation) return undefined;
  return outcome.value !== undefined && Object.hasOwn(outcome.value, field) ? outcome.value[field] : undefined;
}

function unfilled(placeholders: readonly string[]): BlockReason | undefined {
  return placeholders.length === 0 ? undefined : { because: 'unfilled', placeholders };
}
