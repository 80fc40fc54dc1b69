import type { Place } from '../bus/contracts/common.ts';
import type { Composition, Offer } from '../bus/contracts/compositions.ts';

/** The composition that says what a place offers, and the build it is of. */
export interface OfferSource {
  readonly build: string;
  readonly composition: Composition;
}

/** What each place of the mesh offers now, found by place, by provision and by provision on one node. */
export class Offers {
  readonly #sources = new Map<string, OfferSource>();
  readonly #places = new Map<string, Map<string, Place[]>>();

  /** Sets what says a place's offers, and returns the provisions it offers now or offered before, where that changed. */
  set(key: string, place: Place, source: OfferSource | undefined): readonly string[] {
    const before = this.#sources.get(key);
    if (before?.composition === source?.composition && before?.build === source?.build) return [];
    const left = provisionsOf(before);
    const now = provisionsOf(source);
    for (const provision of left) this.#remove(provision, place);
    for (const provision of now) this.#add(provision, place);
    if (source === undefined) this.#sources.delete(key);
    else this.#sources.set(key, source);
    return [...left, ...now];
  }

  source(key: string): OfferSource | undefined {
    return this.#sources.get(key);
  }

  offer(key: string, provision: string): Offer | undefined {
    return this.#sources.get(key)?.composition.offers.find((offer) => offer.provision === provision);
  }

  on(node: string, provision: string): readonly Place[] {
    return this.#places.get(provision)?.get(node) ?? [];
  }

  /** The places of the mesh that offer a provision, by the nodes they are on. */
  nodes(provision: string): ReadonlyMap<string, readonly Place[]> {
    return this.#places.get(provision) ?? new Map();
  }

  #add(provision: string, place: Place): void {
    const nodes = this.#places.get(provision) ?? new Map<string, Place[]>();
    this.#places.set(provision, nodes);
    nodes.set(place.node, [...(nodes.get(place.node) ?? []), place]);
  }

  #remove(provision: string, place: Place): void {
    const nodes = this.#places.get(provision);
    const left = nodes?.get(place.node)?.filter((other) => other.module !== place.module) ?? [];
    if (left.length > 0) nodes?.set(place.node, left);
    else nodes?.delete(place.node);
    if (nodes?.size === 0) this.#places.delete(provision);
  }
}

function provisionsOf(source: OfferSource | undefined): Set<string> {
  return new Set(source?.composition.offers.map((offer) => offer.provision));
}
