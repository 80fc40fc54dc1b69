import { createHash } from 'node:crypto';
import type { Clock } from '../bus/clock.ts';
import { play } from '../play/play.ts';
import type { SeatParts } from '../seat/run.ts';
import { Broken, type Checker, type Seen } from './checkers/checker.ts';
import { checkers } from './checkers/checkers.ts';
import { CALM_FROM_MS, DAY_MS, kinds } from './day.ts';
import { FaultyBus, soundLink } from './faulty-bus.ts';
import type { Happening } from './happening.ts';
import { type Applied, Ledger } from './ledger.ts';
import { NODES } from './mesh.ts';
import { Operator } from './operator.ts';
import { BEGAN, Process } from './process.ts';
import { Random } from './random.ts';
import { Seats } from './seats.ts';
import { Timeline } from './timeline.ts';
import { Truth } from './truth.ts';
import { type SimulatedBus, World } from './world.ts';

const MINUTE_MS = 60_000;
/** Printed of a run that broke a promise. */
const LINES_KEPT = 60;

/** The bus of a run: in memory, and of a clock that the run drives. */
export type NewBus = (clock: Clock) => SimulatedBus;

/** How a run ended; `digest` is of everything that was written, in order. */
export interface RunResult {
  readonly broken?: Broken;
  readonly digest: string;
  readonly writes: number;
  readonly lines: readonly string[];
}

/** Lives one day of the mesh. The same seed and happenings give the same run. */
export async function run(
  seed: number,
  happenings: readonly Happening[],
  settings: SeatParts['settings'],
  newBus: NewBus,
): Promise<RunResult> {
  return new Run(seed, settings, newBus).live(happenings);
}

class Run {
  readonly #timeline = new Timeline();
  readonly #ledger = new Ledger();
  readonly #truth = new Truth(this.#ledger);
  readonly #bus: SimulatedBus;
  readonly #random: Random;
  readonly #world: World;
  readonly #operator: Operator;
  readonly #checkers: readonly Checker[] = checkers();
  readonly #digest = createHash('sha256');
  readonly #lines: string[] = [];
  readonly #seats: Seats;
  readonly #seen: Seen;
  #writes = 0;
  #broken: Broken | undefined;

  constructor(seed: number, settings: SeatParts['settings'], newBus: NewBus) {
    this.#random = new Random(seed + 1);
    this.#bus = newBus(this.#timeline);
    this.#world = new World(this.#bus, this.#ledger, this.#timeline);
    this.#operator = new Operator(this.#bus, this.#ledger, this.#timeline);
    this.#seen = {
      now: () => this.#timeline.now(),
      ledger: this.#ledger,
      truth: this.#truth,
      health: (name) => this.#seats.named(name)?.seat?.health(),
      words: this.#operator.words,
      settings,
    };
    this.#seats = new Seats({
      bus: this.#bus,
      ledger: this.#ledger,
      timeline: this.#timeline,
      random: this.#random,
      settings,
      sent: (sent, by) => this.#check((checker) => checker.sent?.(sent, by, this.#seen)),
      failed: (says) => this.#note(new Broken('the seat has no defect', says)),
    });
    this.#ledger.onApplied((applied) => this.#applied(applied));
  }

  async live(happenings: readonly Happening[]): Promise<RunResult> {
    const timeline = this.#timeline;
    for (const bucket of BUCKETS) await this.#bus.createBucket(bucket, { history: 1 });
    await this.#world.begin();
    this.#play();
    this.#seats.start();
    const stage = { world: this.#world, seats: this.#seats, operator: this.#operator, timeline };
    for (const happening of happenings)
      timeline.after(happening.at, () => {
        this.#line(
          `${happening.what} (${happening.node}.${happening.module} ${happening.build}, ${happening.provider}, ${happening.bucket}, ${happening.forMs} ms)`,
        );
        kinds[happening.what]?.befall(stage, happening);
      });
    timeline.after(CALM_FROM_MS, () => this.#calm());
    await timeline.run(DAY_MS, () => this.#broken !== undefined);
    if (this.#broken === undefined) this.#check((checker) => checker.ended?.(this.#seen));
    for (const seat of this.#seats.alive) seat.process.kill();
    return {
      ...(this.#broken === undefined ? {} : { broken: this.#broken }),
      digest: this.#digest.digest('hex'),
      writes: this.#writes,
      lines: this.#lines,
    };
  }

  #play(): void {
    const process = new Process('players', this.#timeline);
    const parts = { bus: this.#bus, process, link: soundLink(), timeline: this.#timeline, random: this.#random, ledger: this.#ledger };
    let ids = 0;
    const newId = () => {
      ids += 1;
      return `players.${ids}`;
    };
    play({ bus: new FaultyBus(parts), clock: process.dayClock, newId, say: () => {} }, NODES);
  }

  /** Nothing goes wrong any more, and the operator answers whatever is asked. */
  #calm(): void {
    this.#line('all is calm');
    this.#seats.heal();
    this.#world.heal();
    const tend = () => {
      this.#operator.approveAll();
      for (const { seat } of this.#seats.alive) {
        this.#operator.letThrough(seat?.health());
        this.#operator.accept(seat?.health(), true);
      }
      this.#timeline.after(5 * MINUTE_MS, tend);
    };
    this.#timeline.after(50 * MINUTE_MS, () => this.#check((checker) => checker.calmed?.(this.#seen)));
    this.#timeline.after(60 * MINUTE_MS, tend);
  }

  #applied(applied: Applied): void {
    this.#writes += 1;
    this.#digest.update(JSON.stringify(applied));
    if (!QUIET.has(applied.bucket)) this.#line(`${applied.by} wrote ${applied.bucket} ${applied.key}: ${short(applied.after)}`);
    this.#check((checker) => checker.applied?.(applied, this.#seen));
  }

  #check(look: (checker: Checker) => void): void {
    for (const checker of this.#checkers) {
      try {
        look(checker);
      } catch (error) {
        if (!(error instanceof Broken)) throw error;
        this.#note(error);
      }
    }
  }

  #note(broken: Broken): void {
    if (this.#broken === undefined) this.#line(`BROKEN: ${broken.message}`);
    this.#broken ??= broken;
  }

  #line(says: string): void {
    this.#lines.push(`${new Date(BEGAN + this.#timeline.now()).toISOString().slice(11, 23)} ${says}`);
    if (this.#lines.length > LINES_KEPT) this.#lines.shift();
  }
}

const BUCKETS = [
  'mesh-placement_modules',
  'mesh-placement_machines',
  'mesh-placement_seats',
  'mesh-controller_wants',
  'mesh-host_haves',
  'mesh-indexer_modules',
  'mesh-indexer_compositions',
  'mesh-router_asks',
];
const QUIET = new Set(['mesh-provisioner_seat', 'LOG.mesh-provisioner.journal', 'mesh-provisioner_snapshots', 'mesh-provisioner_registry']);

function short(value: unknown): string {
  if (value === undefined) return 'deleted';
  const { state, detail, why, generation } = value as Record<string, unknown>;
  if (why === undefined) return JSON.stringify(value).slice(0, 120);
  return [state, detail, generation, why].filter((part) => part !== undefined).join(' ');
}
