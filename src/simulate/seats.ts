import { pino } from 'pino';
import type { Bus } from '../bus/port.ts';
import { runSeat, type Seat, type SeatParts } from '../seat/run.ts';
import { FaultyBus, type Link, soundLink } from './faulty-bus.ts';
import type { Ledger, Sent } from './ledger.ts';
import { Process } from './process.ts';
import type { Random } from './random.ts';
import type { Timeline } from './timeline.ts';

const AGAIN_MS = 10_000;
/** A day of looking every 3 s would be mostly looking. */
const READ_CHECK_MS = 240_000;
const FATAL = 60;

export interface SeatsParts {
  readonly bus: Bus;
  readonly ledger: Ledger;
  readonly timeline: Timeline;
  readonly random: Random;
  readonly settings: SeatParts['settings'];
  readonly sent: (sent: Sent, by: string) => void;
  /** The seat says that it has a defect. */
  readonly failed: (says: string) => void;
}

/** A process that runs the seat, and its way to the bus. */
export interface Instance {
  readonly process: Process;
  readonly bus: FaultyBus;
  readonly link: Link;
  seat: Seat | undefined;
}

/** The processes that would hold the seat: started, killed, frozen, and started again. */
export class Seats {
  #instances: Instance[] = [];
  #started = 0;

  constructor(private readonly parts: SeatsParts) {}

  get alive(): readonly Instance[] {
    return this.#instances;
  }

  named(name: string): Instance | undefined {
    return this.#instances.find(({ process }) => process.name === name);
  }

  start(): void {
    const { bus, ledger, timeline, random, settings, sent, failed } = this.parts;
    this.#started += 1;
    const process = new Process(`seat-${this.#started}`, timeline);
    const link = soundLink();
    const own = new FaultyBus({ bus, process, link, timeline, random, ledger, sent: (what) => sent(what, process.name) });
    const instance: Instance = { process, bus: own, link, seat: undefined };
    this.#instances.push(instance);
    const log = pino({ level: 'error', base: null }, { write: (line) => this.#logged(line, failed) });
    const clocks = { clock: process.dayClock, monotonic: process.clock };
    runSeat({ bus: own, settings, instance: process.name, ...clocks, log, router: 'builtin', readCheckMs: READ_CHECK_MS }).then(
      (seat) => {
        instance.seat = seat;
      },
      () => {
        if (process.isAlive) this.kill(instance, AGAIN_MS);
      },
    );
  }

  /** Ends the process between two of its steps; another starts so much later. */
  kill(instance: Instance, againMs: number): void {
    instance.process.kill();
    void instance.bus.close();
    this.#instances = this.#instances.filter((one) => one !== instance);
    this.parts.timeline.after(againMs, () => {
      if (this.#instances.length === 0) this.start();
    });
  }

  /** Every way to the bus is sound again, and nobody is frozen. */
  heal(): void {
    for (const { process, link, bus } of this.#instances) {
      process.thaw();
      link.lost = 0;
      link.doubled = 0;
      for (const wrong of [link.forbidden, link.late, link.full]) wrong.clear();
      if (link.isCut) bus.connect(true);
    }
    if (this.#instances.length === 0) this.start();
  }

  #logged(line: string, failed: (says: string) => void): void {
    const { level, msg, error } = JSON.parse(line) as { level: number; msg: string; error?: unknown };
    if (level >= FATAL) failed(`${msg}: ${JSON.stringify(error)}`);
  }
}
