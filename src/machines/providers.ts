import type { Evidence, Place } from '../bus/contracts/common.ts';
import type { Offer } from '../bus/contracts/compositions.ts';
import { keyOf } from '../bus/contracts/tokens.ts';
import { evidenceOf, order } from './evidence.ts';
import { bucketOf, type Picture, VAULT } from './picture.ts';
import type { BlockReason } from './reasons.ts';

/** A provision as a consumer on this node needs it. */
export interface Sought {
  readonly node: string;
  readonly provision: string;
  /** The module that the need names. */
  readonly provider?: string | undefined;
}

/** Who provides it, or why nobody does. Both where a key keeps a provider that it has lost, for want of another. */
export interface Found {
  readonly provider?: Place;
  readonly blocked?: BlockReason;
  /** The standing provider is gone from its node: a dwell later it is no longer kept. */
  readonly lookAgainAt?: number;
}

/** The provider of a need; a key keeps the one it has (C5). */
export function providerOf(picture: Picture, sought: Sought, standing: Place | undefined, at: number, dwellMs: number): Found {
  if (standing === undefined) return chosen(picture, sought);
  const goneSince = picture.goneSince(standing);
  const gone = goneSince !== undefined && at - goneSince >= dwellMs;
  const named = sought.provider === undefined || sought.provider === standing.module;
  if (named && !gone && !offersNoMore(picture, standing, sought.provision)) {
    return { provider: standing, ...(goneSince !== undefined && { lookAgainAt: goneSince + dwellMs }) };
  }
  const found = chosen(picture, sought);
  return found.provider === undefined ? { ...found, provider: standing } : found;
}

/** The provider of a provision's credential: the module that holds the vault's seat (C6). */
export function vaultOf(picture: Picture, standing: Place | undefined): Found & { readonly leave: boolean } {
  const seat = picture.entry('seat', keyOf(VAULT));
  if (seat?.value !== undefined) return { provider: { node: seat.value.node, module: seat.value.module }, leave: false };
  return { ...(standing && { provider: standing }), blocked: { because: 'seat-vacant', seat: VAULT }, leave: seat !== undefined };
}

/** What a place offers of a provision, and at which build; `undefined` where no composition of it that says so can be read. */
export function offerOf(picture: Picture, { node, module }: Place, provision: string): { offer: Offer; build: string } | undefined {
  const key = keyOf(node, module);
  const offer = picture.offers.offer(key, provision);
  return offer && { offer, build: picture.offers.source(key)!.build };
}

/** The entries that say where a provider is and what it offers. */
export function providerEvidence(picture: Picture, { node, module }: Place): readonly Evidence[] {
  const key = keyOf(node, module);
  const source = picture.offers.source(key);
  return evidenceOf(
    ...[bucketOf.placement, bucketOf.want, bucketOf.have].map((bucket) => picture.evidence(bucket, key)),
    source === undefined ? [] : picture.evidence(bucketOf.composition, keyOf(module, source.build)),
  );
}

/** A read composition of its wanted build offers the provision no more. */
function offersNoMore(picture: Picture, { node, module }: Place, provision: string): boolean {
  const wanted = picture.entry('want', keyOf(node, module))?.value?.build;
  const composition = wanted === undefined ? undefined : picture.entry('composition', keyOf(module, wanted))?.value;
  return composition !== undefined && !composition.offers.some((offer) => offer.provision === provision);
}

function chosen(picture: Picture, sought: Sought): Found {
  const { node, provision, provider: named } = sought;
  const none: Found = { blocked: { because: 'no-provider', provision, ...(named !== undefined && { named }) } };
  const here = picture.offers.on(node, provision).filter((place) => named === undefined || place.module === named);
  if (here.length === 0 && named !== undefined && offersUnread(picture, { node, module: named })) return none;
  const places = here.length > 0 ? here : elsewhere(picture, provision, named);
  if (places.length === 0) return none;
  if (places.length === 1) return { provider: places[0]! };
  return { blocked: { because: 'several-providers', provision, places: sorted(places) } };
}

/** The named module is on this very node and nothing says yet what it offers: no other place of it is taken meanwhile. */
function offersUnread(picture: Picture, { node, module }: Place): boolean {
  const key = keyOf(node, module);
  return picture.places.has(key) && picture.offers.source(key) === undefined;
}

function elsewhere(picture: Picture, provision: string, named: string | undefined): readonly Place[] {
  if (named === undefined) return [...picture.offers.nodes(provision).values()].flat();
  return picture.places
    .ofModule(named)
    .filter(([key]) => picture.offers.offer(key, provision) !== undefined)
    .map(([, place]) => place);
}

function sorted(places: readonly Place[]): readonly Place[] {
  return [...places].sort((one, other) => order(one.node, other.node) || order(one.module, other.module));
}
