import type { Clock } from '../../bus/clock.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Watcher } from '../../seat/run.ts';
import type { Turned } from '../../seat/turn.ts';
import type { Away, Present } from './frames.ts';
import { framesOf } from './lines.ts';
import { LivePicture } from './picture.ts';
import { placeOf, Ring } from './ring.ts';

/** What changed is sent together, so that a hundred changes a second are few messages. */
const TOGETHER_MS = 40;
/** By this a page knows that the seat still speaks, and what time it has. */
const BEAT_MS = 2_000;

export interface LiveParts {
  /** Where the bus is, for people. */
  readonly bus: string;
  readonly clock: Clock;
  /** The time of day. */
  readonly now: () => number;
}

/** One who follows the stream. */
export interface Follower {
  send(message: string): void;
}

/**
 * The seat as the page follows it: the present first, then each turn and what it changed. Nobody following costs the seat next to
 * nothing: a turn is noted, and worded only for who comes back to it.
 */
export class Live implements Watcher {
  readonly #followers = new Set<Follower>();
  #held: { readonly picture: LivePicture; readonly ring: Ring } | undefined;
  #away: Away;
  #cancelChanges: (() => void) | undefined;
  #cancelBeat = () => {};

  constructor(private readonly parts: LiveParts) {
    this.#away = { says: 'the seat is starting', since: parts.now() };
  }

  held(kernel: Kernel): void {
    this.#held = { picture: new LivePicture(kernel, this.parts.bus), ring: new Ring(kernel.position.sequence) };
    for (const follower of this.#followers) follower.send(this.#reset());
  }

  turned(turned: Turned): void {
    if (this.#held === undefined) return;
    const { picture, ring } = this.#held;
    picture.note(turned);
    const messages = ring.take(framesOf(turned));
    if (this.#followers.size === 0) return;
    const text = messages.map((message) => message()).join('');
    for (const follower of this.#followers) follower.send(text);
    this.#cancelChanges ??= this.parts.clock.after(TOGETHER_MS, () => this.#sendChanges());
  }

  away(says: string): void {
    this.#held = undefined;
    this.#away = { says, since: this.parts.now() };
    for (const follower of this.#followers) follower.send(this.#reset());
  }

  /** `undefined` where this instance does not hold the seat. */
  get picture(): LivePicture | undefined {
    return this.#held?.picture;
  }

  /** The whole present, or since when there is none. */
  present(): Present | Away {
    return this.#held?.picture.whole() ?? this.#away;
  }

  /**
   * Follows from now on: what was missed since `lastId` where that is still kept, and the present picture otherwise. Returns how to stop.
   */
  follow(follower: Follower, lastId: string | undefined): () => void {
    const place = placeOf(lastId);
    const missed = place === undefined ? undefined : this.#held?.ring.after(place);
    if (missed === undefined) follower.send(this.#reset());
    else follower.send(`${missed.map((message) => message()).join('')}${this.#whole()}`);
    follower.send(this.#beat());
    this.#followers.add(follower);
    if (this.#followers.size === 1) this.#beatOn();
    return () => {
      this.#followers.delete(follower);
      if (this.#followers.size === 0) this.#cancelBeat();
    };
  }

  /** For one that fell too far behind: the present instead of what it missed. */
  again(follower: Follower): void {
    follower.send(this.#reset());
  }

  stop(): void {
    this.#cancelBeat();
    this.#cancelChanges?.();
    this.#followers.clear();
  }

  #sendChanges(): void {
    this.#cancelChanges = undefined;
    if (this.#followers.size === 0) return;
    const changes = this.#held?.picture.changes();
    if (changes === undefined) return;
    const text = message('present', changes);
    for (const follower of this.#followers) follower.send(text);
  }

  #beatOn(): void {
    this.#cancelBeat = this.parts.clock.after(BEAT_MS, () => {
      for (const follower of this.#followers) follower.send(this.#beat());
      this.#beatOn();
    });
  }

  #reset(): string {
    if (this.#held === undefined) return message('away', this.#away);
    return `id: ${this.#held.ring.id}\n${message('reset', this.#held.picture.whole())}`;
  }

  #whole(): string {
    return this.#held === undefined ? message('away', this.#away) : message('present', this.#held.picture.whole());
  }

  #beat(): string {
    return message('beat', { now: this.parts.now() });
  }
}

function message(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
