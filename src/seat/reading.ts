import type { Clock } from '../bus/clock.ts';
import { bucketsOf, type Read, reads } from '../bus/contracts/buckets.ts';
import type { Bus } from '../bus/port.ts';
import type { BucketImage } from '../bus/proved-bucket.ts';
import { ProvedRead } from '../bus/proved-read.ts';
import type { Fact } from '../machines/facts.ts';
import type { Picture } from '../machines/picture.ts';
import { entryFact } from './entry-fact.ts';
import type { Turn } from './turn.ts';

/** Every read of the seat: the fixed ones, and one of each provider that is known to say outcomes. */
export class Reading {
  readonly #open = new Map<Read, ProvedRead>();

  constructor(
    private readonly bus: Bus,
    private readonly clock: Clock,
    private readonly picture: Picture,
    private readonly turn: Pick<Turn, 'take'>,
    private readonly checkEveryMs: number,
  ) {}

  start(): void {
    for (const read of Object.keys(reads) as Read[]) this.#start(read);
    this.follow();
  }

  /** Reads the outcomes of the providers that came to be known meanwhile. */
  follow(): void {
    for (const module of this.picture.boundProviders()) if (!this.#open.has(`bound.${module}`)) this.#start(`bound.${module}`);
  }

  /** Proves every read again, as after a sleep (P9). */
  again(why: string): void {
    for (const read of this.#open.values()) read.again(why);
  }

  stop(): void {
    for (const read of this.#open.values()) read.stop();
    this.#open.clear();
  }

  #start(read: Read): void {
    let told: string | undefined;
    const missing = (why: string) => {
      if (why !== told) this.turn.take({ type: 'missing', read, why });
      told = why;
    };
    const proved = new ProvedRead({
      bus: this.bus,
      clock: this.clock,
      buckets: bucketsOf(read),
      checkEveryMs: this.checkEveryMs,
      onImage: (image) => {
        told = undefined;
        this.turn.take(() => [...image.flatMap((bucket) => changes(this.picture, bucket)), loaded(read, image)]);
      },
      onEntry: (bucket, entry) => {
        const fact = entryFact(bucket, entry.key, entry);
        if (fact.type === 'entry' || entry.text !== undefined) this.turn.take(fact);
      },
      onLost: missing,
      onWaiting: missing,
    });
    this.#open.set(read, proved);
    proved.start();
  }
}

/** What an image brings that the picture does not hold; of a stream that was made anew, everything (P3). */
export function changes(picture: Pick<Picture, 'entries' | 'created'>, { bucket, identity, entries }: BucketImage): Fact[] {
  const known = picture.entries(bucket);
  const isSame = picture.created(bucket) === identity.created;
  const facts: Fact[] = [];
  for (const [key, entry] of entries) {
    if (entry.text === undefined) continue;
    if (!isSame || known.get(key)?.revision !== entry.revision) facts.push(entryFact(bucket, key, entry));
  }
  for (const key of known.keys()) {
    const entry = entries.get(key);
    if (entry?.text === undefined) facts.push({ type: 'entry', bucket, key, revision: entry?.revision ?? identity.lastSequence });
  }
  return facts;
}

function loaded(read: Read, image: readonly BucketImage[]): Fact {
  const streams = image.map(({ bucket, identity, entries }) => ({
    bucket,
    created: identity.created,
    entries: [...entries.values()].filter(({ text }) => text !== undefined).length,
  }));
  return { type: 'loaded', read, streams };
}
