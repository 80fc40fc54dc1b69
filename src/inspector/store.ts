import type { Away, Frame, Head, Line, Present, Tile } from '../http/live/frames.ts';

/** A line of the log with its turn's place and time. */
export interface Logged extends Line {
  readonly seq: number;
  readonly at: number;
}

/** How the page hears of the seat. */
export type Link =
  | { readonly is: 'opening' }
  | { readonly is: 'live' }
  /** The seat is held elsewhere, or by nobody. */
  | ({ readonly is: 'away' } & Away)
  /** Nobody answers there. */
  | { readonly is: 'lost'; readonly since: number };

export interface Mesh {
  readonly seq: number;
  readonly at: number;
  readonly head: Head;
  readonly tiles: ReadonlyMap<string, Tile>;
}

export interface State {
  readonly link: Link;
  /** The last that was heard of the mesh. */
  readonly mesh: Mesh | undefined;
  readonly log: readonly Logged[];
  /** How many lines were dropped from the log's beginning. */
  readonly dropped: number;
}

const LOG_MAX = 5_000;

/** What the page knows, and who is told when that changes: at most once a frame of the screen. */
class Store {
  #state: State = { link: { is: 'opening' }, mesh: undefined, log: [], dropped: 0 };
  readonly #listeners = new Set<() => void>();
  /** How far the seat's clock is ahead of this one, in milliseconds. */
  #ahead = 0;
  #isTelling = false;

  get state(): State {
    return this.#state;
  }

  /** The seat's time of day. */
  now(): number {
    return Date.now() + this.#ahead;
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  heardTime(now: number): void {
    this.#ahead = now - Date.now();
  }

  link(link: Link): void {
    this.#set({ link });
  }

  present({ isWhole, seq, at, head, tiles, gone }: Present): void {
    const before = isWhole ? undefined : this.#state.mesh;
    const shown = head ?? before?.head;
    if (shown === undefined) return;
    const all = new Map(before?.tiles);
    for (const tile of tiles) all.set(tile.node, tile);
    for (const node of gone) all.delete(node);
    this.#set({ mesh: { seq, at, head: shown, tiles: all } });
  }

  turn({ seq, at, lines }: Frame): void {
    const log = [...this.#state.log, ...lines.map((line) => ({ ...line, seq, at }))];
    const over = Math.max(0, log.length - LOG_MAX);
    this.#set({ log: over > 0 ? log.slice(over) : log, dropped: this.#state.dropped + over });
  }

  #set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
    if (this.#isTelling) return;
    this.#isTelling = true;
    const tell = () => {
      this.#isTelling = false;
      for (const listener of this.#listeners) listener();
    };
    if (document.visibilityState === 'visible') requestAnimationFrame(tell);
    else setTimeout(tell, 250);
  }
}

export const store = new Store();
