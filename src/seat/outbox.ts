import type { Clock } from '../bus/clock.ts';
import type { Bus } from '../bus/port.ts';
import { BusError } from '../bus/port.ts';
import type { Effect, OwedEffect } from '../machines/effects.ts';
import type { Fact } from '../machines/facts.ts';
import { EntryWriter, type Tried } from './entry-writer.ts';
import { prove } from './prove.ts';
import { requestOf } from './router-request.ts';
import { Slots } from './slots.ts';

/** How many effects are on their way to the bus at once. */
const UNDER_WAY_MAX = 512;
const RETRY_FIRST_MS = 250;
const RETRY_MAX_MS = 5_000;
const REQUEST_MS = 5_000;

export interface OutboxParts {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly epoch: number;
  /** Asked at the last instant before anything leaves: why it may not. */
  readonly withheld: (effect: Effect) => string | undefined;
  /** The builds that a key is known to be needed by. */
  readonly builds: (key: string) => readonly string[];
  readonly report: (fact: Fact) => void;
  /** A newer seat wrote an entry of ours. */
  readonly lost: (why: string) => void;
}

interface Lane {
  waiting: OwedEffect[];
  /** Calls the pause before the next try off. */
  hurry: () => void;
}

/**
 * Performs what is owed, and reports what became of it as facts. Effects of one entry, ask or key share a lane: one at a time, and a
 * waiting write of an entry gives way to a newer one. A timeout is no outcome: the same goes again with the same id until it is known.
 */
export class Outbox {
  readonly #lanes = new Map<string, Lane>();
  readonly #slots = new Slots(UNDER_WAY_MAX);
  readonly #writer: EntryWriter;
  #isStopped = false;

  constructor(private readonly parts: OutboxParts) {
    this.#writer = new EntryWriter(parts.bus, parts.epoch);
  }

  /** Lists what a bucket of the seat's own holds, so that what was never written need not be read first. */
  async list(bucket: string): Promise<void> {
    await this.#writer.list(bucket);
  }

  offer(owed: OwedEffect): void {
    if (this.#isStopped) return;
    const name = laneOf(owed.effect);
    const lane = this.#lanes.get(name);
    if (lane === undefined) {
      const made: Lane = { waiting: [owed], hurry: () => {} };
      this.#lanes.set(name, made);
      void this.#work(name, made);
      return;
    }
    if ('bucket' in owed.effect) lane.waiting = [owed];
    else lane.waiting.push(owed);
    lane.hurry();
  }

  stop(): void {
    this.#isStopped = true;
    for (const lane of this.#lanes.values()) lane.hurry();
  }

  async #work(name: string, lane: Lane): Promise<void> {
    for (let owed = lane.waiting.shift(); owed !== undefined && !this.#isStopped; owed = lane.waiting.shift())
      await this.#perform(owed, lane);
    this.#lanes.delete(name);
  }

  async #perform(owed: OwedEffect, lane: Lane): Promise<void> {
    let pauseMs = RETRY_FIRST_MS;
    let said: string | undefined;
    for (;;) {
      const tried = await this.#slots.during(() => this.#try(owed));
      if (this.#isStopped) return;
      if (tried.outcome === 'known') return this.parts.report(tried.fact);
      if (tried.outcome === 'lost') return this.parts.lost(tried.says);
      if (tried.outcome === 'refused') {
        if (tried.says !== said) this.parts.report({ type: 'refused', effect: owed.id, code: 500, says: tried.says });
        said = tried.says;
      }
      if (lane.waiting.length === 0 || tried.outcome === 'unknown') await this.#pause(lane, pauseMs);
      const isOvertaken = tried.outcome === 'refused' && lane.waiting.length > 0;
      if (this.#isStopped || isOvertaken) return;
      pauseMs = Math.min(2 * pauseMs, RETRY_MAX_MS);
    }
  }

  async #try({ id, effect }: OwedEffect): Promise<Tried> {
    if (this.#isStopped) return { outcome: 'unknown' };
    const mayNot = this.parts.withheld(effect);
    const isDecidedAnew = effect.kind === 'raise' || effect.kind === 'prove';
    if (mayNot !== undefined && isDecidedAnew) return { outcome: 'known', fact: { type: 'withheld', effect: id, says: mayNot } };
    if (mayNot !== undefined) return { outcome: 'unknown' };
    switch (effect.kind) {
      case 'put':
      case 'delete':
        return this.#writer.write(id, effect, () => this.parts.withheld(effect) === undefined);
      case 'raise':
      case 'end':
        return this.#request(id, effect);
      case 'prove':
        return { outcome: 'known', fact: await prove(this.parts.bus, id, effect.key, this.parts.builds(effect.key)) };
    }
  }

  async #request(id: string, effect: Extract<Effect, { kind: 'raise' | 'end' }>): Promise<Tried> {
    const { subject, text } = requestOf(effect);
    const done: Tried = { outcome: 'known', fact: { type: 'done', effect: id } };
    try {
      const reply = await this.parts.bus.request(subject, text, REQUEST_MS);
      if (reply.ok) return done;
      if (reply.code === 503) return { outcome: 'unknown' };
      if (effect.kind === 'end') return reply.code === 404 ? done : { outcome: 'refused', says: reply.says };
      return { outcome: 'known', fact: { type: 'refused', effect: id, code: reply.code, says: reply.says } };
    } catch (error) {
      if (!(error instanceof BusError)) throw error;
      if (error.code === 'too-large') return { outcome: 'known', fact: { type: 'refused', effect: id, code: 400, says: error.message } };
      return { outcome: 'unknown' };
    }
  }

  /** A newer write of the same entry ends the pause. */
  #pause(lane: Lane, ms: number): Promise<void> {
    return new Promise((go) => {
      const cancel = this.parts.clock.after(ms, go);
      lane.hurry = () => {
        cancel();
        go();
      };
    });
  }
}

function laneOf(effect: Effect): string {
  if ('bucket' in effect) return `${effect.bucket} ${effect.key}`;
  return 'ask' in effect ? `ask ${effect.ask}` : `prove ${effect.key}`;
}
