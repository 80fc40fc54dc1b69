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
import { Kernel } from '../kernel/kernel.ts';
import { type StandingRead, standingReads } from '../kernel/standing-reads.ts';
import { healthOf } from '../kernel/words-that-read.ts';
import { Lease } from './lease.ts';
import { Tenure, type TenureParts } from './tenure.ts';
import type { Turned } from './turn.ts';

export interface SeatParts {
  readonly bus: Bus;
  readonly settings: TenureParts['settings'] & { readonly leaseMs: number };
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
  probe(): Probe;
  onProgress(hear: (line: string) => void): void;
  watch(watcher: Watcher): void;
  stop(): Promise<void>;
}

/** How this instance is, for probes. */
export interface Probe {
  /** It holds the seat, or stands by to take it; one that does neither only helps by being started anew. */
  readonly lives: boolean;
  /** Why it does not hold the seat; absent where it does. */
  readonly notHeld?: string;
  readonly leaseLeftMs: number;
  /** Its reads while it holds the seat. */
  readonly reads: readonly StandingRead[];
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
    probe: () => seat.probe(),
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
  readonly #watchers: Watcher[] = [];
  #lease: Lease | undefined;
  #tenure: Tenure | undefined;
  #isStopped = false;
  #isBroken = false;
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
        this.#isBroken = true;
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

  probe(): Probe {
    const tenure = this.#tenure;
    const leaseLeftMs = this.#lease?.leftMs() ?? 0;
    const lost = leaseLeftMs > 0 ? undefined : 'its lease was not renewed in time';
    const notHeld = tenure === undefined ? STANDS_BY : lost;
    const reads = tenure === undefined ? [] : standingReads(tenure.kernel);
    return { lives: !this.#isBroken, ...(notHeld === undefined ? {} : { notHeld }), leaseLeftMs, reads };
  }

  onProgress(hear: (line: string) => void): void {
    this.#hear = hear;
    for (const line of this.#untold.splice(0)) hear(line);
  }

  watch(watcher: Watcher): void {
    this.#watchers.push(watcher);
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
      for (const watcher of this.#watchers) watcher.held(this.#tenure.kernel);
      settled();
      const why = await over;
      for (const watcher of this.#watchers) watcher.away(`the seat is lost: ${why}`);
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
      turned: (turned) => {
        for (const watcher of this.#watchers) watcher.turned(turned);
      },
      ended: (why) => this.#end(why),
    });
  }

  #say(line: string): void {
    if (this.#hear === undefined) this.#untold.push(line);
    else this.#hear(line);
  }
}
