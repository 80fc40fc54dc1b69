import type { Place } from '../bus/contracts/common.ts';
import type { Reason, Unneeded } from './reasons.ts';

/** A reason as an operator reads it: one plain sentence without a full stop. */
export function sayReason(reason: Reason): string {
  switch (reason.because) {
    case 'loading':
      return 'not judged yet';
    case 'unreadable':
      return sayUnreadable(reason);
    case 'names-clash':
      return `its name differs from ${reason.other}'s in case alone`;
    case 'no-build':
      return `the indexer names no build of ${reason.module}`;
    case 'unread':
      return `no composition of ${reason.module} is published, of build ${list(reason.builds)}`;
    case 'unpublished':
      return `the composition of ${reason.module} at build ${list(reason.builds)} is not published`;
    case 'no-provider':
      return reason.named === undefined
        ? `no module offers ${reason.provision}`
        : `${reason.named}, which is named as its provider, offers no ${reason.provision}`;
    case 'several-providers':
      return `several modules offer ${reason.provision} and none is named: ${list(reason.places.map(sayPlace))}`;
    case 'no-credential-form':
      return `${sayPlace(reason.provider)} offers ${reason.provision} without saying its credential form (pair, secret or none)`;
    case 'seat-vacant':
      return `nobody holds the seat ${reason.seat}`;
    case 'unfilled':
      return `${list(reason.placeholders)} cannot be filled`;
    case 'dependency':
      return `waits for ${list(reason.keys)} to be provided`;
    case 'asked':
      return `${sayPlace(reason.provider)} has not answered generation ${reason.generation}`;
    case 'starting':
      return `${sayPlace(reason.provider)} is not there yet: ${reason.says}`;
    case 'failed':
      return `${sayPlace(reason.provider)} failed: ${reason.says}`;
    case 'provided':
      return `${sayPlace(reason.provider)} provides generation ${reason.generation}`;
    case 'waits':
      return `provided, and ${sayPlace(reason.provider)} waits: ${reason.says}`;
    case 'dependency-falters':
      return `provided, though ${list(reason.keys)} is not`;
    case 'kept':
      return `kept by ${reason.by} at generation ${reason.generation}`;
    case 'braked':
      return `the node is braked: ${list(reason.consumers)} would retire at once`;
    case 'dwelling':
      return `nothing needs it; it would retire at ${new Date(reason.until).toISOString()}`;
    case 'place':
      return `${sayUnneeded(reason.unneeded)}; its ask waits for one of the places at the router`;
    case 'dependents':
      return `its ask waits until ${list(reason.keys)} is gone`;
    case 'ask-open':
      return `${sayUnneeded(reason.unneeded)}; the operator is asked in ${reason.ask}`;
    case 'approved':
      return `approved by ${reason.by}; the absence is proved again before the warrant`;
    case 'warranted':
      return `${reason.by} approved; ${reason.provider === undefined ? 'its provider' : sayPlace(reason.provider)} has not let go yet`;
    case 'let-go-failed':
      return `${sayPlace(reason.provider)} could not let go: ${reason.says}`;
  }
}

export function sayPlace(place: Place): string {
  return `${place.module} on ${place.node}`;
}

function sayUnneeded(unneeded: Unneeded): string {
  return unneeded === 'consumer-gone'
    ? 'its module is neither placed, wanted nor had on the node'
    : 'no composition of its module needs it any more';
}

function list(words: readonly string[]): string {
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : (words[0] ?? 'none');
}

/** Of an entry that is no JSON, or no object, no field is named. */
export function sayUnreadable({ bucket, key, revision, field, says }: Omit<Extract<Reason, { because: 'unreadable' }>, 'because'>): string {
  return `${bucket} ${key} at revision ${revision} cannot be read: ${field === '' ? says : `${field}: ${says}`}`;
}
