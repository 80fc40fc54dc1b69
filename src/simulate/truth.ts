import type { Composition } from '../bus/contracts/compositions.ts';
import { keyOf } from '../bus/contracts/tokens.ts';
import { type Applied, Ledger } from './ledger.ts';

const PLACEMENT = 'mesh-placement_modules';
const WANTS = 'mesh-controller_wants';
const HAVES = 'mesh-host_haves';
const MODULES = 'mesh-indexer_modules';
const COMPOSITIONS = 'mesh-indexer_compositions';

/**
 * What is meant to be in the buckets at every instant, whatever the store lost and whatever anybody has read of them: which key is needed, which module is there, and
 * whose picture is not whole. Worked out apart from the seat's own code, from rules C1 to C3 and C6.
 */
export class Truth {
  readonly #needed = new Map<string, number>();
  readonly #lastNeeded = new Map<string, { readonly since: number; readonly until: number }>();
  readonly #there = new Map<string, number>();
  readonly #unread = new Map<string, number>();
  /** What was meant to be there: a store that loses it changes nothing. */
  readonly #meant = new Ledger();

  constructor(ledger: Ledger) {
    this.#meant.onApplied((applied) => this.#follow(applied));
    ledger.onApplied((applied) => {
      if (applied.isAccident !== true) this.#meant.apply(applied);
    });
  }

  /** Since when the key is needed without a break, in milliseconds of the run. */
  neededSince(key: string): number | undefined {
    return this.#needed.get(key);
  }

  /** The last time that a key was needed and is not any more. */
  lastNeeded(key: string): { readonly since: number; readonly until: number } | undefined {
    return this.#lastNeeded.get(key);
  }

  /** Since when the consumer is placed, wanted or had without a break. */
  thereSince(place: string): number | undefined {
    return this.#there.get(place);
  }

  /** Since when one of the consumer's compositions is not published, or its builds are not known. */
  unreadSince(place: string): number | undefined {
    return this.#unread.get(place);
  }

  neededKeys(): readonly string[] {
    return [...this.#needed.keys()].sort();
  }

  #follow({ bucket, key, at }: Applied): void {
    if (bucket === PLACEMENT || bucket === WANTS || bucket === HAVES) this.#look(key, at);
    if (bucket !== MODULES && bucket !== COMPOSITIONS) return;
    const module = key.split('.')[0];
    const places = [PLACEMENT, WANTS, HAVES].flatMap((of) => [...this.#meant.entries(of).keys()]);
    for (const place of new Set(places)) if (place.split('.')[1] === module || bucket === COMPOSITIONS) this.#look(place, at);
  }

  #look(place: string, at: number): void {
    const module = place.split('.')[1] ?? '';
    const isPlaced = this.#meant.value(PLACEMENT, place) !== undefined;
    const want = this.#meant.value(WANTS, place) as { build: string } | undefined;
    const have = this.#meant.value(HAVES, place) as { build: string } | undefined;
    const indexed = this.#meant.value(MODULES, module) as { newest?: string; builds?: string[] } | undefined;
    const isThere = isPlaced || want !== undefined || have !== undefined;
    mark(this.#there, place, isThere, at);
    const newest = isPlaced || want !== undefined ? indexed?.newest : undefined;
    const builds = [...new Set([want?.build, have?.build, newest].filter((build) => build !== undefined))];
    const compositions = builds.map((build) => this.#meant.value(COMPOSITIONS, keyOf(module, build)) as Composition | undefined);
    const isKnown = indexed?.newest !== undefined || (indexed?.builds?.length ?? 0) > 0;
    mark(this.#unread, place, isThere && (!isKnown || compositions.length === 0 || compositions.includes(undefined)), at);
    const now = new Set(isThere ? compositions.flatMap((composition) => this.#keysOf(place, composition)) : []);
    for (const [key, since] of this.#needed) {
      if (!key.startsWith(`${place}.`) || now.has(key)) continue;
      this.#needed.delete(key);
      this.#lastNeeded.set(key, { since, until: at });
    }
    for (const key of now) if (!this.#needed.has(key)) this.#needed.set(key, at);
  }

  #keysOf(place: string, composition: Composition | undefined): string[] {
    return (composition?.needs ?? []).flatMap(({ provision, local }) => {
      const rest = local === undefined ? [] : [local];
      const hasCredential = this.#offers(provision).some((credential) => credential === 'pair' || credential === 'secret');
      const secret = hasCredential ? [`${place}.${keyOf(`secret-${provision}`, ...rest)}`] : [];
      return [`${place}.${keyOf(provision, ...rest)}`, ...secret];
    });
  }

  #offers(provision: string): readonly (string | undefined)[] {
    const compositions = [...this.#meant.entries(COMPOSITIONS).values()] as Composition[];
    return compositions.flatMap(({ offers }) =>
      offers.filter((offer) => offer.provision === provision).map(({ credential }) => credential),
    );
  }
}

function mark(since: Map<string, number>, place: string, is: boolean, at: number): void {
  if (!is) since.delete(place);
  else if (!since.has(place)) since.set(place, at);
}
