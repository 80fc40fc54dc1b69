import type { Evidence, Place } from '../bus/contracts/common.ts';
import { keyOf } from '../bus/contracts/tokens.ts';
import type { NeededKey, OfferFault, Standing } from './composed.ts';
import type { Considered } from './consumers.ts';
import { evidenceOf } from './evidence.ts';
import type { Picture } from './picture.ts';
import { providerEvidence } from './providers.ts';

/** One pass of a node: what it composes from, and what it comes across on its way. */
export class Pass {
  readonly picture: Picture;
  readonly node: string;
  readonly standing: Standing;
  readonly at: number;
  readonly dwellMs: number;
  readonly offerFaults: OfferFault[] = [];
  readonly provisions = new Set<string>();
  readonly seats = new Set<string>();
  readonly outcomes = new Set<string>();
  wakeAt: number | undefined;
  readonly #evidence = new Map<string, readonly Evidence[]>();

  constructor(picture: Picture, node: string, standing: Standing, at: number, dwellMs: number) {
    this.picture = picture;
    this.node = node;
    this.standing = standing;
    this.at = at;
    this.dwellMs = dwellMs;
  }

  /** A provider is gone and still kept: the pass is to be made again at this time. */
  lookAgainAt(at: number): void {
    this.wakeAt = Math.min(at, this.wakeAt ?? at);
  }

  /** The entries of a consumer with those of its provider: the same list for every key that has both. */
  evidenceOf(consumer: Considered, provider: Place | undefined): readonly Evidence[] {
    if (provider === undefined) return consumer.consumer.evidence;
    const both = `${consumer.key} ${keyOf(provider.node, provider.module)}`;
    const known = this.#evidence.get(both) ?? evidenceOf(consumer.consumer.evidence, providerEvidence(this.picture, provider));
    this.#evidence.set(both, known);
    return known;
  }

  /** Tells the picture what was used, for the keys that are needed and for those that only stand. */
  noteUse(needs: Iterable<NeededKey>): void {
    const providers: Place[] = [];
    for (const { provider } of [...needs, ...Object.values(this.standing.keys)]) if (provider !== undefined) providers.push(provider);
    for (const { former } of Object.values(this.standing.keys)) providers.push(...(former ?? []));
    this.picture.noteUse(this.node, { providers, provisions: this.provisions, seats: this.seats, outcomes: this.outcomes });
  }
}
