import type { Outcome } from '../bus/contracts/bound.ts';
import type { Bucket, Read } from '../bus/contracts/buckets.ts';
import type { Evidence, Place } from '../bus/contracts/common.ts';
import type { Composition } from '../bus/contracts/compositions.ts';
import type { Have } from '../bus/contracts/haves.ts';
import type { IndexedModule } from '../bus/contracts/modules.ts';
import type { Machine, Placement, Seat } from '../bus/contracts/placement.ts';
import { boundBucket, keyOf, namesOf } from '../bus/contracts/tokens.ts';
import type { Want } from '../bus/contracts/wants.ts';
import type { EntryFact, Fact, Unreadable } from './facts.ts';
import { type OfferSource, Offers } from './offers.ts';
import { type KeptOutcomes, OutcomeReads } from './outcomes.ts';
import { type Builds, Places } from './places.ts';
import { type Use, Uses } from './uses.ts';

/** An entry as it stands: its value, or why it cannot be read (P6). */
export interface Entry<T = unknown> {
  readonly revision: number;
  readonly value?: T;
  readonly unreadable?: Unreadable;
}

/** What must be judged after a fact: whole nodes, or one key's outcome alone. */
export interface Touched {
  readonly nodes: ReadonlySet<string>;
  readonly outcomes: readonly { readonly node: string; readonly key: string }[];
}

interface Known {
  placement: Placement;
  machine: Machine;
  seat: Seat;
  want: Want;
  have: Have;
  indexed: IndexedModule;
  composition: Composition;
}

/** What the picture remembers beside its entries, for a snapshot to keep. */
export interface PictureMemory {
  readonly created: Readonly<Record<string, string>>;
  readonly boundProviders: readonly string[];
  readonly absencesFrom: number;
  /** By `<node>.<module>`: since when it is gone. */
  readonly gone: Readonly<Record<string, number>>;
  readonly outcomes: KeptOutcomes;
}

/** The bucket of each kind of entry that composing reads. */
export const bucketOf = {
  placement: 'mesh-placement_modules',
  machine: 'mesh-placement_machines',
  seat: 'mesh-placement_seats',
  want: 'mesh-controller_wants',
  have: 'mesh-host_haves',
  indexed: 'mesh-indexer_modules',
  composition: 'mesh-indexer_compositions',
} as const satisfies Record<keyof Known, Bucket>;

/** The seat whose holder keeps the credentials (C6). */
export const VAULT = 'mesh-vault';

const NOTHING: Touched = { nodes: new Set(), outcomes: [] };
const NO_ENTRIES: ReadonlyMap<string, Entry> = new Map();

/**
 * Everything the seat knows, folded from facts in their order. It says of each fact what must be judged again (C9),
 * by indices that every pass keeps up with {@link Picture.noteUse}: no fact ever scans the mesh.
 */
export class Picture {
  readonly places = new Places();
  readonly offers = new Offers();
  readonly outcomes = new OutcomeReads();
  readonly #entries = new Map<string, Map<string, Entry>>();
  readonly #created = new Map<string, string>();
  readonly #boundProviders = new Set<string>();
  readonly #uses = new Uses();
  #absencesFrom = 0;

  apply(fact: EntryFact, at: number): Touched {
    const before = this.#write(fact);
    switch (fact.bucket) {
      case bucketOf.placement:
      case bucketOf.want:
      case bucketOf.have:
        return this.#placeChanged(fact.key, at);
      case bucketOf.indexed:
        return this.#moduleChanged(nameOf(fact.key, 0));
      case bucketOf.composition:
        return this.#compositionChanged(fact);
      case bucketOf.machine:
        return touching([nameOf(fact.key, 0)]);
      case bucketOf.seat:
        return this.#seatChanged(fact);
      default:
        return isOutcome(fact.bucket) ? this.#outcomeChanged(fact, before) : NOTHING;
    }
  }

  /** A read is loaded. A provider's outcomes are judged again on every node that uses it. */
  applyLoaded(fact: Extract<Fact, { type: 'loaded' }>, at: number): Touched {
    if (fact.read === 'placement' || fact.read === 'wants' || fact.read === 'haves') this.#absencesFrom = at;
    for (const { bucket, created } of fact.streams) {
      this.#created.set(bucket, created);
      if (isOutcome(bucket)) this.outcomes.loaded(bucket, created);
    }
    return this.#usersOf(fact.read);
  }

  /** A read is missing: what it last brought stays, but of outcomes nothing is known. */
  applyMissing(fact: Extract<Fact, { type: 'missing' }>): Touched {
    const provider = providerOf(fact.read);
    if (provider !== undefined) this.outcomes.missing(boundBucket(provider));
    return this.#usersOf(fact.read);
  }

  /** What a node's pass used, so that a change of it touches the node (C9). */
  noteUse(node: string, use: Use): void {
    this.#uses.note(node, use);
  }

  /** The entries of a bucket by key, each with its revision. */
  entries(bucket: string): ReadonlyMap<string, Entry> {
    return this.#entries.get(bucket) ?? NO_ENTRIES;
  }

  entry<K extends keyof Known>(kind: K, key: string): Entry<Known[K]> | undefined {
    return this.#entries.get(bucketOf[kind])?.get(key) as Entry<Known[K]> | undefined;
  }

  outcome(provider: string, key: string): Entry<Outcome> | undefined {
    return this.#entries.get(boundBucket(provider))?.get(key) as Entry<Outcome> | undefined;
  }

  /** The entry as evidence; nothing where it is not there. */
  evidence(bucket: string, key: string): readonly Evidence[] {
    const entry = this.#entries.get(bucket)?.get(key);
    return entry === undefined ? [] : [{ bucket, key, revision: entry.revision }];
  }

  /** Which stream a bucket was last loaded from. */
  created(bucket: string): string | undefined {
    return this.#created.get(bucket);
  }

  /**
   * Since when a module is neither placed, wanted nor had on a node; `undefined` while it is there.
   * What was missing as the gate opened counts from then.
   */
  goneSince(place: Place): number | undefined {
    const key = keyOf(place.node, place.module);
    return this.places.has(key) ? undefined : Math.max(this.places.goneAt(key) ?? 0, this.#absencesFrom);
  }

  /** The gate opens: only from now on is it known that what is missing stays so. */
  countAbsencesFrom(at: number): void {
    this.#absencesFrom = at;
  }

  /** The modules ever known to offer something with `bound: true`, and the vault: their outcomes are to be read. */
  boundProviders(): ReadonlySet<string> {
    return this.#boundProviders;
  }

  /** Every bucket of which something was ever read. */
  buckets(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** What a node's last pass used, by names that only {@link Picture.resumeUses} reads. */
  keptUses(node: string): readonly string[] {
    return this.#uses.kept(node);
  }

  resumeUses(node: string, things: readonly string[]): void {
    this.#uses.resume(node, things);
  }

  memory(): PictureMemory {
    return {
      created: Object.fromEntries([...this.#created].sort()),
      boundProviders: [...this.#boundProviders].sort(),
      absencesFrom: this.#absencesFrom,
      gone: Object.fromEntries([...this.places.gone()].sort()),
      outcomes: this.outcomes.kept(),
    };
  }

  /** Takes what a snapshot kept beside the entries, once they are all applied. */
  resume({ created, boundProviders, absencesFrom, gone, outcomes }: PictureMemory): void {
    for (const [bucket, stream] of Object.entries(created)) this.#created.set(bucket, stream);
    for (const module of boundProviders) this.#boundProviders.add(module);
    this.#absencesFrom = absencesFrom;
    for (const [key, at] of Object.entries(gone)) this.places.wasGone(key, at);
    this.outcomes.resume(outcomes);
  }

  #write({ bucket, key, revision, value, unreadable }: EntryFact): Entry | undefined {
    const entries = this.#entries.get(bucket) ?? new Map<string, Entry>();
    this.#entries.set(bucket, entries);
    const before = entries.get(key);
    if (unreadable !== undefined) entries.set(key, { revision, unreadable });
    else if (value !== undefined) entries.set(key, { revision, value });
    else entries.delete(key);
    return before;
  }

  #placeChanged(key: string, at: number): Touched {
    const place = { node: nameOf(key, 0), module: nameOf(key, 1) };
    const considered = this.entry('placement', key) ?? this.entry('want', key) ?? this.entry('have', key);
    if (considered === undefined) this.places.delete(key, at);
    else this.places.set(key, place, this.#builds(key, place));
    return touching([place.node, ...this.#offered(key, place)]);
  }

  #moduleChanged(module: string): Touched {
    const places = this.places.ofModule(module);
    for (const [key, place] of places) this.places.set(key, place, this.#builds(key, place));
    return touching(places.flatMap(([key, place]) => [place.node, ...this.#offered(key, place)]));
  }

  #compositionChanged(fact: EntryFact): Touched {
    const composition = fact.value as Composition | undefined;
    if (composition?.offers.some((offer) => offer.bound === true)) this.#boundProviders.add(nameOf(fact.key, 0));
    return touching(this.places.atBuild(fact.key).flatMap(([key, place]) => [place.node, ...this.#offered(key, place)]));
  }

  #seatChanged(fact: EntryFact): Touched {
    const seat = nameOf(fact.key, 0);
    const holder = fact.value as Seat | undefined;
    if (seat === VAULT && holder !== undefined) this.#boundProviders.add(holder.module);
    return touching(this.#uses.nodesOf('seat', seat));
  }

  #outcomeChanged({ bucket, key }: EntryFact, before: Entry | undefined): Touched {
    if (this.entries(bucket).has(key)) this.outcomes.appeared(bucket, key);
    else this.outcomes.vanished(bucket, key, before !== undefined);
    const waiting = new Set(this.#uses.nodesOf('outcome', key));
    return waiting.size > 0 ? touching(waiting) : { nodes: NOTHING.nodes, outcomes: [{ node: nameOf(key, 0), key }] };
  }

  #builds(key: string, { module }: Place): Builds {
    const want = this.entry('want', key);
    const running = this.entry('have', key)?.value?.build;
    const counts = want !== undefined || this.entry('placement', key) !== undefined;
    const newest = counts ? this.entry('indexed', keyOf(module))?.value?.newest : undefined;
    return {
      ...(want?.value && { wanted: want.value.build }),
      ...(running !== undefined && { running }),
      ...(newest !== undefined && { newest }),
    };
  }

  /** Finds anew what a place offers, and returns the nodes that use it or seek what it offers or offered. */
  #offered(key: string, place: Place): Set<string> {
    const nodes = new Set(this.#uses.nodesOf('provider', key));
    for (const provision of this.offers.set(key, place, this.#offerSource(key, place))) {
      for (const node of this.#uses.nodesOf('provision', provision)) nodes.add(node);
    }
    return nodes;
  }

  /** The wanted build's composition says what a place offers, if it is read, else the running one's, else the newest's (C5). */
  #offerSource(key: string, { module }: Place): OfferSource | undefined {
    const { wanted, running, newest } = this.places.builds(key);
    for (const build of [wanted, running, newest]) {
      const composition = build === undefined ? undefined : this.entry('composition', keyOf(module, build))?.value;
      if (build !== undefined && composition !== undefined) return { build, composition };
    }
    return undefined;
  }

  #usersOf(read: Read): Touched {
    const provider = providerOf(read);
    return provider === undefined ? NOTHING : touching(this.#uses.nodesOf('provider-module', provider));
  }
}

function touching(nodes: Iterable<string>): Touched {
  return { nodes: new Set(nodes), outcomes: [] };
}

/** A name of a key that was found to be in its bucket's shape. */
function nameOf(key: string, at: number): string {
  return namesOf(key)![at]!;
}

function isOutcome(bucket: string): boolean {
  return bucket.endsWith(boundBucket(''));
}

function providerOf(read: Read): string | undefined {
  return read.startsWith('bound.') ? read.slice('bound.'.length) : undefined;
}
