import { BusError } from '../bus/port.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Move } from '../kernel/moves.ts';
import type { KernelReply } from '../kernel/reply.ts';
import type { OwedEffect } from '../machines/effects.ts';
import type { Fact, JournalRecord } from '../machines/facts.ts';
import { fitting } from './fitting.ts';

/** A record's facts as JSON; one fact that is larger has a record of its own. */
const RECORD_BYTES_MAX = 512 * 1024;

/** Facts that can be told only once everything before them is folded. */
export type LateFacts = () => readonly Fact[];

/** The part of the journal that a turn needs. */
export interface Appending {
  readonly head: number;
  append(
    text: string,
    write: { readonly id: string; readonly epoch: number },
  ): Promise<
    { readonly done: true; readonly sequence: number } | { readonly done: false; readonly because: string; readonly says: string }
  >;
}

/** What one turn was. */
export interface Turned {
  readonly sequence: number;
  readonly at: number;
  readonly facts: readonly Fact[];
  /** What was owed before the step and is acknowledged by its facts. */
  readonly done: readonly OwedEffect[];
  readonly effects: readonly OwedEffect[];
  readonly moves: readonly Move[];
}

export interface TurnParts {
  readonly journal: Appending;
  readonly kernel: Pick<Kernel, 'step' | 'owed'>;
  readonly instance: string;
  readonly epoch: number;
  /** The time of day; `lastAt` is the journal's, behind which no record goes back. */
  readonly now: () => number;
  readonly lastAt: number;
  /** How long the seat slept since this was last asked, in milliseconds (P9). */
  readonly slept: () => number;
  readonly offer: (effect: OwedEffect) => void;
  readonly reply: (ticket: string, reply: KernelReply) => void;
  readonly stepped: (turned: Turned) => void;
  /** The seat cannot go on: its role or its journal is lost. */
  readonly ended: (says: string) => void;
}

/**
 * The turn, in this order and no other: the facts that wait become one record of the journal; only then are they folded; only then may
 * what they led to leave, by the outbox. One turn at a time.
 */
export class Turn {
  #inbox: (Fact | LateFacts)[] = [];
  #at: number;
  #isRunning = false;
  #isEnded = false;

  constructor(private readonly parts: TurnParts) {
    this.#at = parts.lastAt;
  }

  /** Facts wait for the next turn. */
  take(...facts: readonly (Fact | LateFacts)[]): void {
    for (const fact of facts) this.#inbox.push(fact);
    if (!this.#isRunning && !this.#isEnded) void this.#run();
  }

  end(): void {
    this.#isEnded = true;
    this.#inbox = [];
  }

  /** Never rejects: whatever it ends with ends the seat. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      // What comes in the same tick goes into the same record.
      await Promise.resolve();
      while (!this.#isEnded && this.#inbox.length > 0) await this.#turn();
    } catch (error) {
      this.#stop(error instanceof BusError ? error.message : `the seat failed: ${(error as Error).stack ?? String(error)}`);
    } finally {
      this.#isRunning = false;
    }
  }

  async #turn(): Promise<void> {
    const { journal, kernel, instance, epoch, now } = this.parts;
    this.#wakeUp();
    const { facts, texts } = this.#batch();
    if (facts.length === 0) return;
    this.#at = Math.max(this.#at, now());
    const record: JournalRecord = { version: 1, at: this.#at, instance, epoch, facts };
    const head = JSON.stringify({ ...record, facts: [] });
    const text = `${head.slice(0, -2)}${texts.join(',')}]}`;
    const appended = await journal.append(text, { id: `${epoch}.${instance}.${journal.head + 1}`, epoch });
    if (this.#isEnded) return;
    if (!appended.done) return this.#stop(`the journal takes no more of this seat: ${appended.says}`);
    const done = facts.flatMap((fact) => (fact.type === 'done' ? (kernel.owed.get(fact.effect) ?? []) : []));
    const { effects, replies, moves } = kernel.step(appended.sequence, record);
    for (const effect of effects) this.parts.offer(effect);
    for (const { ticket, reply } of replies) this.parts.reply(ticket, reply);
    this.parts.stepped({ sequence: appended.sequence, at: record.at, facts, done, effects, moves });
  }

  /** A sleep is the first to be told: no deadline that passed meanwhile may act before every read is proved again. */
  #wakeUp(): void {
    const forMs = this.parts.slept();
    if (forMs > 0) this.#inbox.unshift({ type: 'slept', forMs });
  }

  /** Late facts close the batch that is before them, so that they are told of everything in it. */
  #batch(): { facts: Fact[]; texts: string[] } {
    const facts: Fact[] = [];
    const texts: string[] = [];
    let bytes = 0;
    let taken = 0;
    for (; taken < this.#inbox.length; taken += 1) {
      const next = this.#inbox[taken]!;
      if (typeof next === 'function') {
        if (facts.length > 0) break;
        this.#inbox = [...next(), ...this.#inbox.slice(taken + 1)];
        taken = -1;
        continue;
      }
      const fit = fitting(next);
      bytes += fit.bytes + 1;
      if (facts.length > 0 && bytes > RECORD_BYTES_MAX) break;
      facts.push(fit.fact);
      texts.push(fit.text);
    }
    this.#inbox = this.#inbox.slice(taken);
    return { facts, texts };
  }

  #stop(says: string): void {
    if (this.#isEnded) return;
    this.end();
    this.parts.ended(says);
  }
}
