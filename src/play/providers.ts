import { Outcome } from '../bus/contracts/bound.ts';
import type { Place } from '../bus/contracts/common.ts';
import { Composition } from '../bus/contracts/compositions.ts';
import { Seat } from '../bus/contracts/placement.ts';
import { type Former, Provision } from '../bus/contracts/provisions.ts';
import { boundBucket, namesOf } from '../bus/contracts/tokens.ts';
import { parsed } from './parsed.ts';
import { AGAIN_MS, follow, looker, type Stage, write } from './stage.ts';

const PROVISIONS = 'mesh-provisioner_provisions';
const VAULT_SEAT = 'mesh-vault';
const SECRET = 'secret-';
const ANSWER_MS = 300;

/** A key as one of its providers reads it: the present one, or a former one. */
type Part = Pick<Former, 'generation' | 'state' | 'detail' | 'warrant'> & { readonly provider: Place };

/**
 * Stands in for the providers on some nodes that say their outcomes in a bucket of their own. Each answers the generation it sees, after a
 * moment, and lets go on a warrant for that generation alone.
 */
export function playProviders(stage: Stage, nodes: ReadonlySet<string>): () => void {
  const providers = new Providers(stage, nodes);
  providers.start();
  return () => providers.stop();
}

class Providers {
  /** What each published composition offers `bound`, by its key. */
  readonly #offers = new Map<string, { module: string; provisions: readonly string[] }>();
  readonly #keys = new Set<string>();
  readonly #seen = new Map<string, { generation: number; at: number }>();
  readonly #buckets = new Map<string, Promise<void>>();
  readonly #stops: (() => void)[] = [];
  readonly #looking;

  constructor(
    private readonly stage: Stage,
    private readonly nodes: ReadonlySet<string>,
  ) {
    this.#looking = looker(stage, (key) => this.#look(key));
  }

  start(): void {
    const composed = (key: string, text: string | undefined) => this.#composed(key, text);
    const seated = (key: string, text: string | undefined) => this.#seated(key, text);
    this.#stops.push(follow(this.stage, 'mesh-indexer_compositions', composed), follow(this.stage, 'mesh-placement_seats', seated));
    this.#stops.push(follow(this.stage, PROVISIONS, (key, text) => this.#provisioned(key, text)));
  }

  stop(): void {
    this.#looking.stop();
    for (const stop of this.#stops) stop();
  }

  #composed(key: string, text: string | undefined): void {
    const module = namesOf(key)?.[0];
    const bound = parsed(Composition, text)?.offers.filter((offer) => offer.bound === true) ?? [];
    this.#offers.delete(key);
    if (module === undefined || bound.length === 0) return;
    this.#offers.set(key, { module, provisions: bound.map((offer) => offer.provision) });
    this.#own(module).catch(() => {});
    for (const one of this.#keys) this.#looking.look(one);
  }

  #seated(key: string, text: string | undefined): void {
    const seat = key === VAULT_SEAT ? parsed(Seat, text) : undefined;
    if (seat !== undefined && this.nodes.has(seat.node)) this.#own(seat.module).catch(() => {});
  }

  #provisioned(key: string, text: string | undefined): void {
    if (text === undefined) this.#keys.delete(key);
    else this.#keys.add(key);
    this.#looking.look(key);
  }

  async #look(key: string): Promise<number | undefined> {
    const provision = parsed(Provision, (await this.stage.bus.get(PROVISIONS, key))?.text);
    const name = namesOf(key)?.[2];
    if (provision === undefined || name === undefined) return undefined;
    const afters: number[] = [];
    for (const part of partsOf(provision)) {
      if (!this.#plays(part.provider, name)) continue;
      const after =
        part.warrant?.generation === part.generation ? await this.#letGo(key, part) : await this.#answer(key, name, part, provision);
      if (after !== undefined) afters.push(after);
    }
    return afters.length === 0 ? undefined : Math.min(...afters);
  }

  #plays({ node, module }: Place, provision: string): boolean {
    if (!this.nodes.has(node)) return false;
    if (provision.startsWith(SECRET)) return true;
    return [...this.#offers.values()].some((offer) => offer.module === module && offer.provisions.includes(provision));
  }

  async #letGo(key: string, { provider: { node, module } }: Part): Promise<number | undefined> {
    await this.#own(module);
    const entry = await this.stage.bus.get(boundBucket(module), key);
    if (entry?.text === undefined) return undefined;
    if (!(await write(this.stage, boundBucket(module), key, undefined, entry.revision))) return AGAIN_MS;
    this.stage.say(`${module} on ${node} lets ${key} go`);
    return undefined;
  }

  async #answer(key: string, name: string, part: Part, provision: Provision): Promise<number | undefined> {
    const { node, module } = part.provider;
    if (part.state !== 'judging' || part.detail === 'blocked') return undefined;
    await this.#own(module);
    const entry = await this.stage.bus.get(boundBucket(module), key);
    if (parsed(Outcome, entry?.text)?.generation === part.generation) return undefined;
    const now = this.stage.clock.now();
    const left = this.#firstSeen(`${module} ${key}`, part.generation, now) + ANSWER_MS - now;
    if (left > 0) return left;
    const outcome: Outcome = { state: 'provided', generation: part.generation, at: new Date(now).toISOString() };
    if (!name.startsWith(SECRET)) outcome.value = valuesOf(key, node, provision.with);
    if (!(await write(this.stage, boundBucket(module), key, outcome, entry?.revision ?? 0))) return AGAIN_MS;
    this.#seen.delete(`${module} ${key}`);
    this.stage.say(`${module} on ${node} provides ${key}`);
    return undefined;
  }

  #firstSeen(what: string, generation: number, now: number): number {
    const known = this.#seen.get(what);
    if (known?.generation === generation) return known.at;
    this.#seen.set(what, { generation, at: now });
    return now;
  }

  /** A provider's own bucket is there before anybody waits for it, and what happens in it is looked at. */
  #own(module: string): Promise<void> {
    const there = this.#buckets.get(module);
    if (there !== undefined) return there;
    const made = this.stage.bus.createBucket(boundBucket(module), { history: 1 }).then(() => {
      this.#stops.push(follow(this.stage, boundBucket(module), (key) => this.#looking.look(key)));
    });
    this.#buckets.set(module, made);
    made.catch(() => this.#buckets.delete(module));
    return made;
  }
}

function partsOf(provision: Provision): Part[] {
  const { provider, former = [] } = provision;
  return provider === undefined ? former : [{ ...provision, provider }, ...former];
}

/** What a consumer could fill its files with: a name of its own, the provider's node, and what it asked for. */
function valuesOf(key: string, node: string, asked: Provision['with']): Record<string, string> {
  const plain = Object.entries(asked).filter(([, value]) => typeof value === 'string' || typeof value === 'number');
  return { name: key.replaceAll('.', '_'), node, ...Object.fromEntries(plain.map(([name, value]) => [name, String(value)])) };
}
