import type { Clock } from '../bus/clock.ts';
import { parseText } from '../bus/contracts/parse.ts';
import { Holder } from '../bus/contracts/seat.ts';
import { type Bus, type BusEntry, BusError } from '../bus/port.ts';

const BUCKET = 'mesh-provisioner_seat';
const KEY = 'holder';
/** Nothing leaves later than this part of the lease after its last renewal was sent (E4). */
const ACTING_PART = 0.8;

export interface LeaseParts {
  readonly bus: Bus;
  /** Monotonic. */
  readonly clock: Clock;
  /** The time of day: it shows a suspend, in which a monotonic clock stands still. */
  readonly dayTime: () => number;
  readonly instance: string;
  readonly leaseMs: number;
  readonly say: (line: string) => void;
  readonly lost: (why: string) => void;
}

interface Sent {
  readonly id: string;
  readonly text: string;
  readonly at: number;
  readonly dayAt: number;
}

/** The holder's entry: one instance acts, the others stand by (E4). */
export class Lease {
  #epoch = 0;
  #revision = 0;
  #renewals = 0;
  #renewed: Sent | undefined;
  #pending: Sent | undefined;
  #isOver = false;
  #cancel = () => {};

  constructor(private readonly parts: LeaseParts) {}

  get epoch(): number {
    return this.#epoch;
  }

  /** Whether an effect may leave at this instant. */
  mayAct(): boolean {
    return this.leftMs() > 0;
  }

  /** For how long effects may still leave, in milliseconds, unless it is renewed before; 0 where none may. */
  leftMs(): number {
    if (this.#isOver || this.#renewed === undefined) return 0;
    const { clock, dayTime, leaseMs } = this.parts;
    const passedMs = Math.max(clock.now() - this.#renewed.at, dayTime() - this.#renewed.dayAt);
    return Math.max(0, ACTING_PART * leaseMs - passedMs);
  }

  /** One look at the holder's entry; `true` where the seat is taken. */
  async #tryOnce(unchanged: Unchanged): Promise<boolean> {
    const { bus, clock, leaseMs } = this.parts;
    const entry = await bus.get(BUCKET, KEY);
    const now = clock.now();
    if (entry?.text !== undefined && !unchanged.isSo(entry.revision, now, leaseMs)) {
      unchanged.tell(holderOf(entry), this.parts.say);
      return false;
    }
    this.#pending = undefined;
    this.#epoch = Math.max(entry?.epoch ?? 0, (entry && holderOf(entry)?.epoch) ?? 0) + 1;
    return this.#write(entry?.revision ?? 0);
  }

  /** Stands by until the seat is free, then takes it; `false` where it was stopped meanwhile. */
  async acquire(): Promise<boolean> {
    const unchanged = new Unchanged();
    for (;;) {
      if (this.#isOver) return false;
      try {
        if (await this.#tryOnce(unchanged)) break;
      } catch (error) {
        if (!(error instanceof BusError)) throw error;
        this.parts.say(`the seat cannot be taken: ${error.message}`);
      }
      await new Promise<void>((done) => {
        const cancel = this.parts.clock.after(this.parts.leaseMs / 4, done);
        this.#cancel = () => {
          cancel();
          done();
        };
      });
    }
    if (this.#isOver) return false;
    this.#renewLater();
    return true;
  }

  /** The journal knows a later epoch than the holder's entry did: this seat's is later still. */
  async outgrow(epoch: number): Promise<void> {
    if (epoch < this.#epoch) return;
    this.#epoch = epoch + 1;
    this.#pending = undefined;
    await this.#renew();
  }

  /** Gives the seat back, so that the next one need not wait. */
  async release(): Promise<void> {
    const held = this.#renewed !== undefined && !this.#isOver;
    this.#end();
    if (!held) return;
    const { bus, instance } = this.parts;
    const write = { id: `${instance}.${this.#epoch}.released`, epoch: this.#epoch, expected: this.#revision };
    await bus.delete(BUCKET, KEY, write).catch((error: unknown) => {
      if (!(error instanceof BusError)) throw error;
    });
  }

  #renewLater(): void {
    this.#cancel = this.parts.clock.after(this.parts.leaseMs / 4, () => void this.#renew());
  }

  async #renew(): Promise<void> {
    this.#cancel();
    try {
      if (!(await this.#write(this.#revision)) && this.#pending === undefined) return this.#lose();
    } catch (error) {
      if (!(error instanceof BusError)) throw error;
    }
    if (!this.#isOver) this.#renewLater();
  }

  /** One conditional put. What nobody knows the outcome of stays pending, and the same bytes go again with the same id. */
  async #write(expected: number): Promise<boolean> {
    const { bus } = this.parts;
    const sent = this.#pending ?? this.#next();
    this.#pending = sent;
    const result = await bus.put(BUCKET, KEY, sent.text, { id: sent.id, epoch: this.#epoch, expected });
    if (result.done) return this.#written(sent, result.revision);
    if (result.because !== 'other-revision') return false;
    const entry = await bus.get(BUCKET, KEY);
    if (entry?.id === sent.id) return this.#written(sent, entry.revision);
    this.#pending = undefined;
    return false;
  }

  #next(): Sent {
    const { instance, leaseMs, clock, dayTime } = this.parts;
    this.#renewals += 1;
    const dayAt = dayTime();
    const holder: Holder = { instance, epoch: this.#epoch, until: new Date(dayAt + leaseMs).toISOString() };
    return { id: `${instance}.${this.#epoch}.${this.#renewals}`, text: JSON.stringify(holder), at: clock.now(), dayAt };
  }

  #written(sent: Sent, revision: number): boolean {
    this.#pending = undefined;
    this.#renewed = sent;
    this.#revision = revision;
    return true;
  }

  #lose(): void {
    if (this.#isOver) return;
    this.#end();
    this.parts.lost('another instance took the seat');
  }

  #end(): void {
    this.#isOver = true;
    this.#cancel();
  }
}

/** How long the holder's entry has stood as it is, by the watcher's own monotonic clock. */
class Unchanged {
  #revision: number | undefined;
  #since = 0;
  #told: string | undefined;

  isSo(revision: number, now: number, forMs: number): boolean {
    if (revision !== this.#revision) {
      this.#revision = revision;
      this.#since = now;
    }
    return now - this.#since >= forMs;
  }

  tell(holder: Holder | undefined, say: (line: string) => void): void {
    const who = holder === undefined ? 'somebody whose entry cannot be read' : `${holder.instance} (epoch ${holder.epoch})`;
    if (who === this.#told) return;
    this.#told = who;
    say(`standing by: ${who} holds the seat`);
  }
}

function holderOf({ text }: BusEntry): Holder | undefined {
  const parsed = text === undefined ? undefined : parseText(Holder, text);
  return parsed?.ok ? parsed.value : undefined;
}
