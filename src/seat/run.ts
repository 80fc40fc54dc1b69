/**
 * The seat: one instance holds it and acts, the others stand by (E4).
 *
 * A holding of the seat (`tenure.ts`) folds the journal, settles what a crash left, reads (`reading.ts`), takes turns (`turn.ts`) and
 * sends by the outbox (`outbox.ts`) for as long as its lease (`lease.ts`) is good. When it ends, this instance stands by again.
 */
import type { Logger } from 'pino';
import { type Clock, systemClock } from '../bus/clock.ts';
import type { Health, Verb } from '../bus/contracts/verbs.ts';
import { type Bus, BusError, type ServiceReply } from '../bus/port.ts';
import { Kernel, type KernelSettings } from '../kernel/kernel.ts';
import { healthOf } from '../kernel/words-that-read.ts';
import { Lease } from './lease.ts';
import { Tenure } from './tenure.ts';
import type { Turned } from './turn.ts';

export interface SeatParts {
  readonly bus: Bus;
  readonly settings: KernelSettings & { readonly leaseMs: number; readonly registryMs: number };
  readonly instance: string;
  /** The time of day. */
  readonly clock: Clock;
  /** Monotonic, for the lease and whatever is tried again; a test gives its own. */
  readonly monotonic?: Clock;
  readonly log: Logger;
  readonly router: 'builtin' | 'external';
  /** How often a loaded read is looked at for what its watch does not say, in milliseconds; 3 s unless given. */
  readonly readCheckMs?: number;
}

export interface Seat {
  call(verb: Verb, request: unknown): Promise<ServiceReply>;
  health(): Health;
  ready(): boolean;
  onProgress(hear: (line: string) => void): void;
  watch(watcher: Watcher): void;
  stop(): Promise<void>;
}

/** Whoever looks on: it changes nothing, and is told as soon as it happens. */
export interface Watcher {
  /** This instance holds the seat; the kernel is its state, to be looked at. */
  held(kernel: Kernel): void;
  turned(turned: Turned): void;
  /** This instance holds the seat no more, or not yet, and why. */
  away(says: string): void;
}

const AGAIN_AFTER_MS = 1_000;
const STANDS_BY = 'another instance holds the seat; this one stands by';
const OWN_BUCKETS: Readonly<Record<string, number>> = {
  'mesh-provisioner_provisions': 1,
  'mesh-provisioner_plans': 1,
  'mesh-provisioner_registry': 1,
  'mesh-provisioner_faults': 1,
  'mesh-provisioner_snapshots': 5,
  'mesh-provisioner_seat': 1,
};

/** Resolves once this instance holds the seat, or stands by. Throws {@link BusError} where its own buckets cannot be made. */
export async function runSeat(parts: SeatParts): Promise<Seat> {
  const { bus, router } = parts;
  for (const [bucket, history] of Object.entries(OWN_BUCKETS)) await bus.createBucket(bucket, { history });
  if (router === 'builtin') await bus.createBucket('mesh-router_asks', { history: 1 });
  const seat = new Holding(parts);
  await seat.start();
  return {
    call: (verb, request) => seat.call(verb, request),
    health: () => healthOf(seat.kernel),
    ready: () => seat.isReady(),
    onProgress: (hear) => seat.onProgress(hear),
    watch: (watcher) => seat.watch(watcher),
    stop: () => seat.stop(),
  };
}

/** Takes the seat whenever it is free, and holds it. */
class Holding {
  /** What there is to say of a mesh while another instance holds the seat. */
  readonly #idle: Kernel;
  readonly #monotonic: Clock;
  readonly #untold: string[] = [];
  #hear: ((line: string) => void) | undefined;
  #watcher: Watcher | undefined;
  #lease: Lease | undefined;
  #tenure: Tenure | undefined;
  #isStopped = false;
  #life = Promise.resolve();
  #end: (why: string) => void = () => {};

  constructor(private readonly parts: SeatParts) {
    this.#idle = new Kernel(parts.settings);
    this.#monotonic = parts.monotonic ?? systemClock;
  }

  /** Settles as the first look at the seat is over. */
  start(): Promise<void> {
    return new Promise((settled, failed) => {
      this.#life = this.#live(settled).then(settled, (error: unknown) => {
        this.parts.log.fatal({ error }, 'the seat cannot go on');
        failed(error);
      });
    });
  }

  get kernel(): Kernel {
    return this.#tenure?.kernel ?? this.#idle;
  }

  async call(verb: Verb, request: unknown): Promise<ServiceReply> {
    return this.#tenure?.call(verb, request) ?? { ok: false, code: 503, says: STANDS_BY };
  }

  isReady(): boolean {
    return this.#tenure?.isReady() === true;
  }

  onProgress(hear: (line: string) => void): void {
    this.#hear = hear;
    for (const line of this.#untold.splice(0)) hear(line);
  }

  watch(watcher: Watcher): void {
    this.#watcher = watcher;
    if (this.#tenure === undefined) watcher.away(STANDS_BY);
    else watcher.held(this.#tenure.kernel);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#end('stopped');
    if (this.#tenure === undefined) await this.#lease?.release();
    await this.#life;
  }

  async #live(settled: () => void): Promise<void> {
    while (!this.#isStopped) {
      const over = new Promise<string>((end) => {
        this.#end = end;
      });
      const lease = this.#newLease(settled);
      this.#lease = lease;
      if (!(await lease.acquire())) continue;
      await this.#hold(lease, over, settled);
      if (!this.#isStopped) await this.#pause();
    }
  }

  #pause(): Promise<void> {
    return new Promise((go) => {
      const cancel = this.#monotonic.after(AGAIN_AFTER_MS, go);
      this.#end = () => {
        cancel();
        go();
      };
    });
  }

  async #hold(lease: Lease, over: Promise<string>, settled: () => void): Promise<void> {
    try {
      this.#tenure = await this.#newTenure(lease);
      this.#watcher?.held(this.#tenure.kernel);
      settled();
      const why = await over;
      this.#watcher?.away(`the seat is lost: ${why}`);
      if (!this.#isStopped) this.#say(`the seat is lost: ${why}`);
    } catch (error) {
      if (!(error instanceof BusError)) throw error;
      this.#say(`the seat cannot be held: ${error.message}`);
      settled();
    } finally {
      await this.#tenure?.stop();
      this.#tenure = undefined;
      await lease.release();
    }
  }

  #newLease(settled: () => void): Lease {
    const { bus, clock, instance, settings } = this.parts;
    return new Lease({
      bus,
      clock: this.#monotonic,
      dayTime: () => clock.now(),
      instance,
      leaseMs: settings.leaseMs,
      say: (line) => {
        this.#say(line);
        settled();
      },
      lost: (why) => this.#end(why),
    });
  }

  #newTenure(lease: Lease): Promise<Tenure> {
    const { clock, ...parts } = this.parts;
    return Tenure.start({
      ...parts,
      lease,
      clock: this.#monotonic,
      dayClock: clock,
      say: (line) => this.#say(line),
      turned: (turned) => this.#watcher?.turned(turned),
      ended: (why) => this.#end(why),
    });
  }

  #say(line: string): void {
    if (this.#hear === undefined) this.#untold.push(line);
    else this.#hear(line);
  }
}
