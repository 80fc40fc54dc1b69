import { type Actor, createActor, type InspectionEvent } from 'xstate';
import { gateReads, type Read } from '../../src/bus/contracts/buckets.ts';
import type { AskNews } from '../../src/machines/ask.ts';
import { type Effect, type EffectEmitted, SUPERVISOR, type Word } from '../../src/machines/effects.ts';
import { supervisorMachine } from '../../src/machines/supervisor.ts';
import type { SupervisorContext, SupervisorSettings } from '../../src/machines/supervisor-context.ts';
import type { Question, RecordSeen, SupervisorEvent } from '../../src/machines/supervisor-events.ts';

type Emitted = EffectEmitted | Word<{ readonly type?: string }>;
/** An event without its time: the driver gives it. */
type Untimed = SupervisorEvent extends infer E ? (E extends { at: number } ? Omit<E, 'at'> : never) : never;

export const question = (id: string, node = 'n1'): Question => ({
  id,
  key: `${node}.${id}.route`,
  node,
  generation: 1,
  question: `Take ${id} away?`,
  proof: { of: id },
});
export const open: RecordSeen = { state: 'open', subject: 's' };
export const ended: RecordSeen = { state: 'ended', subject: 's' };
export const answered = (answer: 'Approve' | 'Keep'): RecordSeen => ({
  state: 'answered',
  subject: 's',
  answer,
  by: 'ada',
  answeredAt: 77,
});

const SETTINGS = { asksOpenMax: 3, askRecordMs: 60_000, brakeWindowMs: 3_600_000, brakeSettleMs: 600_000 };

/** A supervisor whose words to itself are carried, with all that left it, and a time that moves only when told to. */
export class DrivenSupervisor {
  now = 1_000;
  effects: Effect[] = [];
  news: (AskNews & { to: string })[] = [];
  wakes: number[] = [];
  #words: SupervisorEvent[] = [];
  readonly #actor: Actor<typeof supervisorMachine>;

  constructor(settings: Partial<SupervisorSettings> = {}, machine = supervisorMachine) {
    const hear = (event: InspectionEvent) => {
      if (event.type === '@xstate.actor') (event.actorRef as Actor<typeof machine>).on('*', (emitted) => this.#hear(emitted as Emitted));
    };
    this.#actor = createActor(machine, { id: SUPERVISOR, input: { ...SETTINGS, ...settings }, inspect: hear });
    this.#actor.start();
    this.send({ type: 'seat taken' });
  }

  get snapshot() {
    return this.#actor.getSnapshot();
  }

  get context(): SupervisorContext {
    return this.snapshot.context;
  }

  send(...events: Untimed[]): this {
    for (const event of events) {
      this.#actor.send({ ...event, at: this.now } as SupervisorEvent);
      for (let word = this.#words.shift(); word !== undefined; word = this.#words.shift()) this.#actor.send(word);
    }
    return this;
  }

  load(...reads: readonly Read[]): this {
    return this.send(...reads.map((read) => ({ type: 'read loaded' as const, read, streams: [] })));
  }

  /** Every read is loaded, and every node judged. */
  open(): this {
    return this.load(...gateReads, 'asks').send({ type: 'mesh judged' });
  }

  want(...ids: readonly string[]): this {
    return this.send(...ids.map((id) => ({ type: 'ask wanted' as const, ask: question(id) })));
  }

  acknowledge(...ids: readonly string[]): this {
    return this.send(...ids.map((id) => ({ type: 'raise acknowledged' as const, id })));
  }

  record(id: string, record?: RecordSeen): this {
    return this.send({ type: 'record seen', id, ...(record === undefined ? {} : { record }) });
  }

  /** Moves time on, waking the supervisor whenever it asked for it. */
  wait(ms: number): this {
    const until = this.now + ms;
    for (let due = this.context.wakeAt; due !== undefined && due <= until; due = this.context.wakeAt) {
      this.now = Math.max(this.now, due);
      this.send({ type: 'due' });
    }
    this.now = until;
    return this;
  }

  /** What was raised and ended, and forgets it. */
  took(): readonly string[] {
    const took = this.effects.flatMap((effect) =>
      effect.kind === 'raise' || effect.kind === 'end' ? [`${effect.kind} ${effect.ask}`] : [],
    );
    this.effects = [];
    return took;
  }

  /** What nodes were told, and forgets it. */
  told(): readonly string[] {
    const told = this.news.map((news) => `${news.type} ${news.ask}${news.type === 'ask answered' ? ` ${news.answer}` : ''}`);
    this.news = [];
    return told;
  }

  waiting(): readonly string[] {
    return this.context.waiting.map(({ ask }) => ask.id);
  }

  #hear(emitted: Emitted): void {
    if (emitted.type === 'effect') this.effects.push(emitted.effect);
    else if (emitted.to === SUPERVISOR) this.#words.push(emitted.event as SupervisorEvent);
    else if (emitted.to === 'clock') this.wakes.push((emitted.event as unknown as { at: number }).at);
    else this.news.push({ ...(emitted.event as AskNews), to: emitted.to });
  }
}
