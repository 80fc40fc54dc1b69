import { BusError } from '../../src/bus/port.ts';

const NEVER = new Promise<never>(() => {});

interface Hold {
  readonly entries: number;
  /** It holds the watches alone that were opened before it. */
  readonly isOfOld: boolean;
  readonly since: number;
  readonly released: Promise<void>;
  readonly release: () => void;
}

let counted = 0;
/** Tells what came before what. */
export function next(): number {
  counted += 1;
  return counted;
}

function held(entries: number, isOfOld: boolean): Hold {
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  return { entries, isOfOld, since: next(), released, release };
}

/** What goes wrong between one process and the bus. */
export class Trouble {
  /** Each watch of these brings so many entries and then nothing more, until it is released. */
  readonly #held = new Map<string, Hold>();
  /** Refused to be read. */
  readonly unreadable = new Set<string>();
  /** Refused to be written, with what the store says. */
  readonly unwritable = new Map<string, string>();
  #stall: Promise<void> | undefined;
  #wake = () => {};
  #isFreezingAfterAppend = false;
  isDown = false;
  isDead = false;

  hold(bucket: string, entries: number): void {
    this.#hold(bucket, held(entries, false));
  }

  /** The watches that there are bring nothing more; another one would. */
  silence(bucket: string): void {
    this.#hold(bucket, held(0, true));
  }

  /** What waits for the former hold goes on to this one. */
  #hold(bucket: string, hold: Hold): void {
    const former = this.#held.get(bucket);
    this.#held.set(bucket, hold);
    former?.release();
  }

  release(bucket: string): void {
    this.#held.get(bucket)?.release();
    this.#held.delete(bucket);
  }

  /** What a watch that brought so many already waits for; `undefined` where it may go on. */
  inTheWay(bucket: string, brought: number, openedAt: number): Promise<void> | undefined {
    const hold = this.#held.get(bucket);
    if (hold === undefined || brought < hold.entries || (hold.isOfOld && openedAt > hold.since)) return undefined;
    return hold.released;
  }

  freeze(): void {
    this.#stall = new Promise<void>((done) => {
      this.#wake = done;
    });
  }

  freezeAfterAppend(): void {
    this.#isFreezingAfterAppend = true;
  }

  wake(): void {
    this.#stall = undefined;
    this.#wake();
  }

  appended(): boolean {
    if (!this.#isFreezingAfterAppend) return false;
    this.#isFreezingAfterAppend = false;
    return true;
  }

  get isStalled(): boolean {
    return this.isDead || this.#stall !== undefined;
  }

  /** What a frozen process waits for, and a dead one for ever. */
  async passable(): Promise<void> {
    if (this.isDead) return NEVER;
    if (this.#stall !== undefined) await this.#stall;
    if (this.isDead) return NEVER;
  }

  refuseToRead(bucket: string): void {
    if (this.isDown) throw new BusError('unreachable', 'the connection to the bus was lost');
    if (this.unreadable.has(bucket)) throw new BusError('permission', `cannot read bucket ${bucket}: no permission for its stream`);
  }
}
