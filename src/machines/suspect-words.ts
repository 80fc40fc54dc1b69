import type { Read } from '../bus/contracts/buckets.ts';
import { keyOf } from '../bus/contracts/tokens.ts';
import { NOT_LOADED_YET } from './gate.ts';
import { type Image, type Images, type Loss, leastBelieved, type Suspect, suspectEntries, suspectsOf } from './images.ts';
import type { Unsaid } from './supervisor-faults.ts';

type SuspectImage = Image & { readonly suspect: Suspect };

/** Who fills a read's buckets, and may still be at it. */
const FILLING: Readonly<Record<string, string>> = {
  placement: 'whoever writes the placement is probably still writing it',
  wants: 'the controller is probably still writing them',
  haves: "the nodes' hosts are probably still writing them",
  modules: 'the indexer is probably still loading',
  compositions: 'the indexer is probably still loading',
};

export const suspectFaultKey = (read: Read): string => keyOf('suspect-read', read);

/** Why a read is suspect, in one sentence; `undefined` where it is not (P7). */
export function saySuspect(images: Images, read: Read): string | undefined {
  const suspects = suspectsOf(images, read);
  const [first] = suspects;
  return first && `${sayShrunk(read, suspects)} ${sayAfter(first[1].suspect.after)}: ${sayCause(read, suspects)}`;
}

/** The fault of a read that came back with too little. */
export function suspectFault(images: Images, read: Read): Unsaid | undefined {
  const suspects = suspectsOf(images, read);
  const [first] = suspects;
  if (first === undefined) return undefined;
  const least = suspects.map(([bucket, image]) => `${bucket} has ${leastBelieved(image, image.suspect.created)} entries`);
  return {
    kind: 'suspect-read',
    says: `${sayShrunk(read, suspects)} ${sayAfter(first[1].suspect.after)}: no node is judged`,
    cause: sayCause(read, suspects),
    clears: `${least.join(' and ')} again, or the operator accepts what is there: accept ${read} --entries ${suspectEntries(images, read)}`,
  };
}

function sayShrunk(read: Read, suspects: readonly (readonly [string, SuspectImage])[]): string {
  const shrunk = suspects.map(([bucket, { created, entries, suspect }]) => {
    const name = suspects.length === 1 && read !== 'placement' ? read : bucket;
    const held = `${suspect.entries} of ${entries} entries`;
    return suspect.created === created ? `${name} came back with ${held}` : `${name} is another stream, with ${held}`;
  });
  return shrunk.join(' and ');
}

function sayAfter({ since, why }: Loss): string {
  const at = new Date(since).toISOString().slice(11, 19);
  return why === NOT_LOADED_YET ? `after the start at ${at}` : `after its loss at ${at} (${why})`;
}

function sayCause(read: Read, suspects: readonly (readonly [string, SuspectImage])[]): string {
  const anew = suspects.some(([, { created, suspect }]) => suspect.created !== created);
  return `${anew ? 'the bucket was lost and made anew, and ' : ''}${FILLING[read]}`;
}
