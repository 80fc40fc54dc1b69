import type { Logger } from 'pino';
import type { Clock } from '../bus/clock.ts';
import { Journal } from '../bus/journal.ts';
import type { Bus, Service, ServiceReply } from '../bus/port.ts';
import { verbServices } from '../bus/verb-services.ts';
import type { Kernel, KernelSettings } from '../kernel/kernel.ts';
import type { Effect, OwedEffect } from '../machines/effects.ts';
import type { Fact } from '../machines/facts.ts';
import { sayAsleep } from '../machines/slept.ts';
import { Due } from './due.ts';
import type { JournalLimits } from './journal-limits.ts';
import type { Lease } from './lease.ts';
import { Outbox } from './outbox.ts';
import { Progress } from './progress.ts';
import { Reading } from './reading.ts';
import { RegistryEntries } from './registry-entries.ts';
import { Sleep } from './sleep.ts';
import { keepSnapshots } from './snapshot-rounds.ts';
import { SnapshotWriter } from './snapshot-writer.ts';
import { type Standing, standUp } from './stand-up.ts';
import { Turn, type Turned } from './turn.ts';
import { Words } from './words.ts';

const VERSION = '0.1.0';
const READ_CHECK_MS = 3_000;
/** The buckets whose entries are written one by one, each listed at the start. */
const WRITTEN = ['mesh-provisioner_provisions', 'mesh-provisioner_plans', 'mesh-provisioner_faults'] as const;

export interface TenureParts {
  readonly bus: Bus;
  /** Monotonic. */
  readonly clock: Clock;
  /** The time of day. */
  readonly dayClock: Clock;
  readonly settings: KernelSettings & JournalLimits & { readonly registryMs: number; readonly snapshotMs: number };
  readonly instance: string;
  readonly router: 'builtin' | 'external';
  readonly readCheckMs?: number;
  readonly lease: Lease;
  readonly log: Logger;
  readonly say: (line: string) => void;
  readonly turned: (turned: Turned) => void;
  readonly ended: (why: string) => void;
}

type Ends = (() => Promise<void> | void)[];

/** One holding of the seat, from the lease on to its loss or its end. */
export class Tenure {
  readonly #ends: Ends = [];
  #services: readonly Service[] = [];
  #isOver = false;
  #settled = () => {};

  private constructor(
    private readonly parts: TenureParts,
    private readonly journal: Journal,
    private readonly standing: Standing,
  ) {}

  static async start(parts: TenureParts): Promise<Tenure> {
    const { dwellMs, brakeWindowMs, brakeSettleMs, wordMs, asksOpenMax, askRecordMs } = parts.settings;
    const settings = { dwellMs, brakeWindowMs, brakeSettleMs, wordMs, asksOpenMax, askRecordMs };
    const { bus, say } = parts;
    const journal = await Journal.open(bus, parts.clock);
    const tenure = new Tenure(parts, journal, await standUp({ bus, settings, say }, journal));
    try {
      await tenure.#start();
    } catch (error) {
      await tenure.stop();
      throw error;
    }
    return tenure;
  }

  get kernel(): Kernel {
    return this.standing.kernel;
  }

  /** The seat is held and the gate is open. */
  isReady(): boolean {
    return !this.#isOver && this.parts.lease.mayAct() && this.kernel.gateOpen();
  }

  /** A verb as it is served on the bus, asked from within. */
  async call(verb: string, request: unknown): Promise<ServiceReply> {
    const endpoint = this.#services.flatMap(({ endpoints }) => endpoints).find(({ subject }) => subject === verb);
    if (endpoint === undefined || this.#isOver) return { ok: false, code: 503, says: `this instance does not serve ${verb}` };
    return endpoint.handle(JSON.stringify(request), verb);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    for (const end of this.#ends.splice(0).reverse()) await end();
  }

  async #start(): Promise<void> {
    const { kernel, journal, standing } = this;
    const { bus, clock, dayClock, instance, lease } = this.parts;
    await lease.outgrow(standing.epoch);
    const { epoch } = lease;
    const snapshots = this.#snapshots(epoch);
    if (standing.isRebased) await snapshots.write();
    const progress = new Progress(clock, kernel, this.parts.say);
    const outbox = new Outbox({
      bus,
      clock,
      epoch,
      withheld: (effect) => this.#withheld(effect),
      builds: (key) => kernel.shown.get(key)?.builds ?? [],
      report: (fact) => turn.take(fact),
      lost: (why) => this.#end(why),
    });
    const turn: Turn = new Turn({
      journal,
      kernel,
      instance,
      epoch,
      now: dayClock.now,
      lastAt: standing.at,
      slept: () => sleep.takeSlept(),
      offer: (effect) => outbox.offer(effect),
      reply: (ticket, reply) => words.reply(ticket, reply),
      stepped: (turned) => {
        progress.stepped(turned.facts, turned.done);
        this.parts.turned(turned);
        for (const fact of turned.facts) if (fact.type === 'slept') reading.again(sayAsleep(fact.forMs));
        reading.follow();
        due.follow();
      },
      ended: (says) => this.#end(says),
    });
    const sleep = new Sleep(clock, dayClock.now, () => turn.take(() => []));
    const words = new Words(kernel, turn, instance);
    const reading = new Reading(bus, clock, kernel.picture, turn, this.parts.readCheckMs ?? READ_CHECK_MS);
    const due = new Due(dayClock, kernel, turn);
    this.#ends.push(
      () => words.stop(),
      () => outbox.stop(),
      () => progress.stop(),
      () => due.stop(),
      () => sleep.stop(),
      () => reading.stop(),
      // A turn that ends later would wake what has been stopped already.
      () => turn.end(),
    );
    for (const bucket of WRITTEN) await outbox.list(bucket);
    await this.#settle(turn, outbox, epoch);
    if (this.#isOver) return;
    await this.#serve(words);
    reading.start();
    const { settings, log } = this.parts;
    this.#ends.push(keepSnapshots({ clock, dayTime: dayClock.now, journal, writer: snapshots, settings, log }));
    this.#keepRegistry(epoch);
  }

  #snapshots(epoch: number): SnapshotWriter {
    const { kernel, journal } = this;
    const { bus, lease } = this.parts;
    const mayAct = () => !this.#isOver && lease.mayAct();
    const parts = { bus, kernel, epoch, journal: journal.created, record: () => journal.lastId, mayAct };
    return new SnapshotWriter(parts, this.standing.snapshot);
  }

  /**
   * The journal hears of the new holder before anybody else does: until then it shows the reads of the one before. Of what a crash left
   * half done, writes and ends go again; a raise or a proof is decided anew behind the gate (E2).
   */
  #settle(turn: Turn, outbox: Outbox, epoch: number): Promise<void> {
    const { kernel } = this;
    const left = [...kernel.owed.values()];
    const isDecidedAnew = ({ effect }: OwedEffect) => effect.kind === 'raise' || effect.kind === 'prove';
    const withheld = left.filter(isDecidedAnew).map(({ id }): Fact => ({ type: 'withheld', effect: id, says: 'the seat started anew' }));
    return new Promise((settled) => {
      this.#settled = settled;
      turn.take({ type: 'seat-taken', instance: this.parts.instance, epoch }, ...withheld, () => {
        for (const owed of left) if (!isDecidedAnew(owed) && kernel.owed.has(owed.id)) outbox.offer(owed);
        settled();
        return [];
      });
    });
  }

  /** Why an effect may not leave at this instant. */
  #withheld({ kind }: Effect): string | undefined {
    if (this.#isOver || !this.parts.lease.mayAct()) return 'the lease was not renewed in time';
    if ((kind === 'raise' || kind === 'prove') && !this.kernel.gateOpen()) return 'the gate shut meanwhile';
    return undefined;
  }

  async #serve(words: Words): Promise<void> {
    const { bus, router, log } = this.parts;
    this.#services = verbServices(words.handlers(router), VERSION, (verb, error) => log.error({ verb, error }, 'a verb failed'));
    for (const service of this.#services) this.#ends.push(await bus.serve(service));
  }

  #keepRegistry(epoch: number): void {
    const { bus, clock, settings, lease, say } = this.parts;
    const mayAct = () => !this.#isOver && lease.mayAct();
    const registry = new RegistryEntries({ bus, clock, epoch, everyMs: settings.registryMs, mayAct, say });
    this.#ends.push(() => registry.stop());
    registry.start();
  }

  #end(why: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#settled();
    this.parts.ended(why);
  }
}
