import { pino } from 'pino';
import type { Bus } from '../../src/bus/port.ts';
import { createInputs } from '../../src/mesh/inputs.ts';
import { runSeat, type Seat, type SeatParts } from '../../src/seat/run.ts';
import { Ledger, StoryBus } from './story-bus.ts';
import { ProcessClock, StoryClock } from './story-clock.ts';

/** Far from today, so that no time of a server is taken for one of the story. */
export const BEGAN_AT = Date.parse('2096-11-02T22:55:58.000Z');
const QUIET_ROUNDS = 4;
const GIVEN_UP_AFTER_MS = 30_000;
const STEPS_MAX = 200_000;

/** What a story stands on: a bus to make processes' own connections to, and what an administrator may do. */
export interface StoryGround {
  readonly bus: Bus;
  /** A connection of its own for a process of the story. */
  connect(): Promise<Bus>;
  destroyBucket(bucket: string): Promise<void>;
  destroyStream(stream: string): Promise<void>;
  /** Lets what is under way go on for a moment. */
  breathe(): Promise<void>;
  end(): Promise<void>;
}

export class Process {
  seat: Seat | undefined;
  readonly lines: string[] = [];

  constructor(
    readonly name: string,
    readonly bus: StoryBus,
    readonly clock: ProcessClock,
  ) {}
}

type Settings = SeatParts['settings'] & { readCheckMs?: number };

/** One mesh on one bus, its seats, and time that moves only when the story says so. */
export class World {
  readonly time = new StoryClock();
  readonly ledger = new Ledger();
  readonly processes = new Map<string, Process>();
  settings: Settings = {
    dwellMs: 60_000,
    brakeWindowMs: 3_600_000,
    brakeSettleMs: 600_000,
    wordMs: 900_000,
    asksOpenMax: 3,
    askRecordMs: 60_000,
    leaseMs: 60_000,
    registryMs: 3_600_000,
    snapshotMs: 60_000,
    journalAgeMs: 604_800_000,
    journalBytes: 1_073_741_824,
  };
  /** What happens by itself whenever all is quiet: what the providers do. `true` where something was done. */
  reflex: () => Promise<boolean> = async () => false;
  /** Looked at whenever all is quiet. */
  watch: () => Promise<void> = async () => {};
  #writes = 0;

  constructor(readonly ground: StoryGround) {}

  async begin(): Promise<void> {
    await createInputs(this.ground.bus);
  }

  at(): string {
    return new Date(BEGAN_AT + this.time.now).toISOString();
  }

  /** Writes as the owner of a bucket does; without a value, deletes. */
  async put(bucket: string, key: string, value: unknown): Promise<void> {
    await this.write(bucket, key, value === undefined ? undefined : JSON.stringify(value));
  }

  async write(bucket: string, key: string, text: string | undefined): Promise<void> {
    const { bus } = this.ground;
    this.#writes += 1;
    const write = { id: `story.${this.#writes}`, epoch: 0 };
    const result = text === undefined ? await bus.delete(bucket, key, write) : await bus.put(bucket, key, text, write);
    if (!result.done) throw new Error(`${bucket} ${key}: ${result.says}`);
    this.ledger.wrote(bucket, result.revision);
  }

  async value<T>(bucket: string, key: string): Promise<T | undefined> {
    const text = (await this.ground.bus.get(bucket, key))?.text;
    return text === undefined ? undefined : (JSON.parse(text) as T);
  }

  /** The process whose seat acts; the first one where none does. */
  get holder(): Process {
    const all = [...this.processes.values()];
    const holder = all.find(({ seat }) => seat !== undefined && seat.health().seat.epoch > 0) ?? all[0];
    if (holder === undefined) throw new Error('no seat was started in this story');
    return holder;
  }

  process(name: string | undefined): Process {
    const found = name === undefined ? this.holder : this.processes.get(name);
    if (found === undefined) throw new Error(`there is no process ${name} in this story`);
    return found;
  }

  /** A process that has not started its seat yet, so that its bus can be troubled first. */
  async prepare(name: string): Promise<Process> {
    const process = new Process(name, new StoryBus(await this.ground.connect(), this.ledger), new ProcessClock(this.time, BEGAN_AT));
    this.processes.set(name, process);
    return process;
  }

  run(process: Process): void {
    const { name, bus, clock } = process;
    const { readCheckMs, ...settings } = this.settings;
    const parts: SeatParts = {
      bus,
      settings,
      instance: name,
      clock: clock.day,
      monotonic: clock.monotonic,
      log: pino({ level: 'silent' }),
      router: 'builtin',
      ...(readCheckMs === undefined ? {} : { readCheckMs }),
    };
    void runSeat(parts).then((seat) => {
      process.seat = seat;
      seat.onProgress((line) => process.lines.push(line));
    });
  }

  async stop(process: Process): Promise<void> {
    await process.seat?.stop();
    this.processes.delete(process.name);
    process.clock.die();
  }

  async kill(process: Process): Promise<void> {
    process.clock.die();
    await process.bus.die();
    this.processes.delete(process.name);
  }

  /** Waits until nothing is under way that does not wait for time to pass, and lets the providers do theirs. */
  async settle(): Promise<void> {
    do {
      do await this.#quiet();
      while (this.time.fireDue());
      await this.watch();
    } while (await this.reflex());
  }

  /** Lets time pass, stopping wherever anything is due. */
  async pass(ms: number): Promise<void> {
    const end = this.time.now + ms;
    for (let steps = 0; this.time.step(end); steps += 1) {
      if (steps > STEPS_MAX) throw new Error(`after ${steps} steps it is still ${end - this.time.now} ms to the end`);
      await this.settle();
    }
    await this.settle();
  }

  async end(): Promise<void> {
    for (const process of this.processes.values()) {
      process.clock.wake();
      process.bus.trouble.wake();
      await this.kill(process);
    }
    await this.ground.end();
  }

  async #quiet(): Promise<void> {
    const buses = () => [...this.processes.values()].map(({ bus }) => bus);
    const moves = () => buses().reduce((sum, bus) => sum + bus.moves, 0);
    const givenUpAt = performance.now() + GIVEN_UP_AFTER_MS;
    for (let rounds = 0, before = -1; rounds < QUIET_ROUNDS; ) {
      if (performance.now() > givenUpAt) throw new Error('the story does not become quiet');
      await this.ground.breathe();
      const now = moves();
      const isQuiet = now === before && buses().every((bus) => bus.trouble.isStalled || (bus.underWay === 0 && !bus.isBehind()));
      rounds = isQuiet ? rounds + 1 : 0;
      before = now;
    }
  }
}
