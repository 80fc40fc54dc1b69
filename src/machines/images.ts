import type { Read } from '../bus/contracts/buckets.ts';
import type { LoadedStream } from './facts.ts';

/** How many entries a bucket held when it was last believed, and of which stream; with a load since then that is not believed (P7). */
export interface Image {
  readonly read: Read;
  readonly created: string;
  /** Follows what is deleted and written live: that is no load. */
  readonly entries: number;
  readonly suspect?: Suspect;
}

/** When and why a read was lost, or was begun. */
export interface Loss {
  readonly since: number;
  readonly why: string;
}

/** A load that brought too little, and the loss that it followed on. */
export interface Suspect {
  readonly created: string;
  /** Follows what arrives live. */
  readonly entries: number;
  readonly after: Loss;
}

/** By bucket. */
export type Images = Readonly<Record<string, Image>>;

/** The reads that are compared with what they last brought: of the others, a loss is answered otherwise (A3, K7). */
export const COMPARED_READS: readonly Read[] = ['placement', 'wants', 'haves', 'modules', 'compositions'];

/**
 * The fewest entries that a stream is believed with: of the one that was last believed more than half, or all but one, and never none;
 * of another one as many as there were (P7).
 */
export function leastBelieved({ created, entries }: Image, now: string): number {
  if (now !== created) return entries;
  return entries === 0 ? 0 : Math.max(1, Math.min(Math.floor(entries / 2) + 1, entries - 1));
}

/** Takes what a load brought: believed, or suspect beside what was last believed. */
export function withLoad(images: Images, read: Read, streams: readonly LoadedStream[], after: Loss): Images {
  if (!COMPARED_READS.includes(read)) return images;
  const loaded = streams.map(({ bucket, created, entries }) => {
    const image = images[bucket] ?? { read, created, entries };
    return [bucket, weighed(image, { created, entries, after: image.suspect?.after ?? after })] as const;
  });
  return { ...images, ...Object.fromEntries(loaded) };
}

/** Takes how many entries a bucket holds after one of them came or went live. */
export function withEntries(images: Images, bucket: string, entries: number): Images {
  const image = images[bucket];
  if (image === undefined) return images;
  const { suspect } = image;
  return { ...images, [bucket]: suspect === undefined ? { ...image, entries } : weighed(image, { ...suspect, entries }) };
}

/** Whether a bucket is known to hold another number of entries than this. */
export function holdsOther(images: Images, bucket: string, entries: number): boolean {
  const image = images[bucket];
  return image !== undefined && (image.suspect ?? image).entries !== entries;
}

/** Believes what a read brought, on the operator's word. */
export function withAccepted(images: Images, read: Read): Images {
  const accepted = suspectsOf(images, read).map(([bucket, { suspect }]) => [bucket, believed(read, suspect)] as const);
  return { ...images, ...Object.fromEntries(accepted) };
}

/** The buckets of a read that brought too little. */
export function suspectsOf(
  images: Images,
  read: Read,
): readonly (readonly [bucket: string, image: Image & { readonly suspect: Suspect }])[] {
  return Object.entries(images).flatMap(([bucket, image]) =>
    image.read === read && image.suspect !== undefined ? [[bucket, { ...image, suspect: image.suspect }] as const] : [],
  );
}

export function isAnySuspect(images: Images): boolean {
  return Object.values(images).some(({ suspect }) => suspect !== undefined);
}

/** How many entries the suspect buckets of a read hold now. */
export function suspectEntries(images: Images, read: Read): number {
  return suspectsOf(images, read).reduce((sum, [, { suspect }]) => sum + suspect.entries, 0);
}

function weighed(image: Image, suspect: Suspect): Image {
  return suspect.entries < leastBelieved(image, suspect.created) ? { ...image, suspect } : believed(image.read, suspect);
}

function believed(read: Read, { created, entries }: Suspect): Image {
  return { read, created, entries };
}
