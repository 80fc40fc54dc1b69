import type { Frame } from './frames.ts';

interface Kept {
  readonly seq: number;
  readonly n: number;
  readonly frame: Frame;
  text?: string;
}

/** The newest frames, for those who come back to them: so many lines are kept. */
const LINES_MAX = 20_000;

/** A place in the stream: `<journal seq>.<n>`. */
export interface Place {
  readonly seq: number;
  readonly n: number;
}

export class Ring {
  #kept: Kept[] = [];
  #lines = 0;
  #before: Place;

  /** @param seq the journal's record behind which it begins */
  constructor(seq: number) {
    this.#before = { seq, n: Number.POSITIVE_INFINITY };
  }

  /** Takes the frames of one turn; each becomes a message once somebody wants it. */
  take(frames: readonly Frame[]): (() => string)[] {
    const kept = frames.map((frame): Kept => ({ seq: frame.seq, n: frame.lines.at(-1)?.n ?? 0, frame }));
    this.#kept.push(...kept);
    this.#lines += frames.reduce((sum, { lines }) => sum + lines.length, 0);
    let dropped = 0;
    while (this.#lines > LINES_MAX && dropped < this.#kept.length - 1) {
      this.#lines -= this.#kept[dropped]!.frame.lines.length;
      dropped += 1;
    }
    if (dropped > 0) this.#before = this.#kept[dropped - 1]!;
    this.#kept = dropped > 0 ? this.#kept.slice(dropped) : this.#kept;
    return kept.map((one) => () => messageOf(one));
  }

  /** The id of the newest frame. */
  get id(): string {
    const last = this.#kept.at(-1);
    return last === undefined ? `${this.#before.seq}.0` : `${last.seq}.${last.n}`;
  }

  /** Every message behind a place; `undefined` where that is older than what is kept, or not of this stream at all. */
  after(place: Place): (() => string)[] | undefined {
    const last = this.#kept.at(-1) ?? this.#before;
    if (isBefore(place, this.#before) || isBefore(last, place)) return undefined;
    return this.#kept.filter((kept) => isBefore(place, kept)).map((kept) => () => messageOf(kept));
  }
}

/** Reads an id of the stream; `undefined` where it is none. */
export function placeOf(id: string | undefined): Place | undefined {
  const [, seq, n] = /^(\d{1,15})\.(\d{1,15})$/.exec(id ?? '') ?? [];
  return seq === undefined ? undefined : { seq: Number(seq), n: Number(n) };
}

function isBefore(one: Place, other: Place): boolean {
  return one.seq < other.seq || (one.seq === other.seq && one.n < other.n);
}

function messageOf(kept: Kept): string {
  kept.text ??= `id: ${kept.seq}.${kept.n}\nevent: turn\ndata: ${JSON.stringify(kept.frame)}\n\n`;
  return kept.text;
}
