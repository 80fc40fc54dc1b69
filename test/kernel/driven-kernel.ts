import type { AskRecord } from '../../src/bus/contracts/asks.ts';
import { bucketsOf, gateReads, type Read } from '../../src/bus/contracts/buckets.ts';
import type { Verb } from '../../src/bus/contracts/verbs.ts';
import { Kernel } from '../../src/kernel/kernel.ts';
import type { KernelReply } from '../../src/kernel/reply.ts';
import { healthOf } from '../../src/kernel/words-that-read.ts';
import type { OwedEffect } from '../../src/machines/effects.ts';
import type { EntryFact, Fact, JournalRecord } from '../../src/machines/facts.ts';

export const kernelSettings = {
  dwellMs: 60_000,
  brakeWindowMs: 3_600_000,
  brakeSettleMs: 600_000,
  wordMs: 900_000,
  asksOpenMax: 3,
  askRecordMs: 60_000,
};

/**
 * A kernel with a bus of its own in memory: buckets with revisions, a router that keeps its records, writes that are acknowledged at
 * once, and time that moves only when told to.
 */
export class DrivenKernel {
  readonly kernel: Kernel;
  readonly buckets = new Map<string, Map<string, { revision: number; value: unknown }>>();
  readonly effects: OwedEffect[] = [];
  /** Every record so far: the first one is 1. */
  readonly records: JournalRecord[] = [];
  readonly loaded = new Set<Read>();
  /** What the live read before a warrant finds instead of what the buckets hold. */
  live = new Map<string, unknown>();
  /** Effects that their receiver refuses. */
  refuses = (_effect: OwedEffect['effect']): boolean => false;
  now = Date.parse('2026-11-02T22:55:58.000Z');
  #sequence = 0;
  #revision = 0;

  constructor(settings: Partial<typeof kernelSettings> = {}) {
    this.kernel = new Kernel({ ...kernelSettings, ...settings });
  }

  /** The seat starts: nothing is loaded. */
  start(): void {
    this.facts([{ type: 'seat-taken', instance: 'test', epoch: 1 }]);
  }

  set(bucket: string, key: string, value: unknown): EntryFact {
    this.#revision += 1;
    const entries = this.#bucket(bucket);
    if (value === undefined) entries.delete(key);
    else entries.set(key, { revision: this.#revision, value });
    return { type: 'entry', bucket, key, revision: this.#revision, ...(value === undefined ? {} : { value }) };
  }

  /** Writes to a bucket; seen by the seat where its read is loaded. */
  put(bucket: string, key: string, value: unknown): void {
    const fact = this.set(bucket, key, value);
    const seen = [...this.loaded].some((read) => bucketsOf(read).includes(bucket));
    if (seen) this.facts([fact]);
  }

  delete(bucket: string, key: string): void {
    this.put(bucket, key, undefined);
  }

  load(read: Read, created = 'first'): void {
    const facts: Fact[] = [];
    for (const bucket of bucketsOf(read)) {
      const entries = this.#bucket(bucket);
      const known = this.kernel.picture.entries(bucket);
      for (const [key, { revision, value }] of entries) {
        if (known.get(key)?.revision !== revision) facts.push({ type: 'entry', bucket, key, revision, value });
      }
      for (const key of known.keys()) if (!entries.has(key)) facts.push({ type: 'entry', bucket, key, revision: this.#revision });
    }
    const streams = bucketsOf(read).map((bucket) => ({ bucket, created, entries: this.#bucket(bucket).size }));
    this.loaded.add(read);
    this.facts([...facts, { type: 'loaded', read, streams }]);
  }

  loadAll(): void {
    for (const read of [...gateReads, 'asks'] as const) this.load(read);
  }

  lose(read: Read, why = 'the connection was lost'): void {
    this.loaded.delete(read);
    this.facts([{ type: 'missing', read, why }]);
  }

  /** Moves time on, waking whoever asked for it, in order. */
  pass(ms: number): void {
    const until = this.now + ms;
    for (let turns = 0; ; turns += 1) {
      if (turns > 1000) throw new Error('the clock was asked for a thousand times and time stood still');
      const due = [...this.kernel.wakes()].filter(([, at]) => at <= until).sort(([, one], [, other]) => one - other)[0];
      if (due === undefined) break;
      this.now = Math.max(this.now, due[1]);
      this.facts([{ type: 'due', owner: due[0] }]);
    }
    this.now = until;
  }

  /** The machine sleeps: every deadline that passed meanwhile is due in the record that tells of it. */
  sleep(forMs: number): void {
    this.now += forMs;
    this.loaded.clear();
    const due = [...this.kernel.wakes()].filter(([, at]) => at <= this.now);
    this.facts([{ type: 'slept', forMs }, ...due.map(([owner]): Fact => ({ type: 'due', owner }))]);
  }

  say(verb: Verb, request: unknown): KernelReply | undefined {
    const replies = this.facts([{ type: 'word', ticket: 'ticket', verb, request }]);
    return replies.find(({ ticket }) => ticket === 'ticket')?.reply;
  }

  answer(id: string, answer: 'Approve' | 'Keep', by = 'anna'): void {
    const record = this.#bucket('mesh-router_asks').get(id)?.value as AskRecord | undefined;
    if (record === undefined) throw new Error(`the router holds no ask ${id}`);
    this.put('mesh-router_asks', id, { ...record, state: 'answered', answer, by, answeredAt: new Date(this.now).toISOString() });
  }

  key(key: string): string {
    const entry = this.kernel.shown.get(key);
    if (entry === undefined) return 'gone';
    return entry.detail === undefined ? entry.state : `${entry.state}/${entry.detail}`;
  }

  asks(state = 'open'): string[] {
    return [...this.#bucket('mesh-router_asks')]
      .filter(([, { value }]) => (value as AskRecord).state === state)
      .map(([id]) => id)
      .sort();
  }

  faults(): string[] {
    return healthOf(this.kernel)
      .faults.map(({ kind, node }) => (node === undefined ? kind : `${kind} ${node}`))
      .sort();
  }

  sent(kind: string): OwedEffect[] {
    return this.effects.filter(({ effect }) => effect.kind === kind);
  }

  facts(facts: readonly Fact[]): readonly { ticket: string; reply: KernelReply }[] {
    this.#sequence += 1;
    const record: JournalRecord = { version: 1, at: this.now, instance: 'test', epoch: 1, facts };
    this.records.push(record);
    const { effects, replies } = this.kernel.step(this.#sequence, record);
    const all = [...replies];
    for (const effect of effects) {
      this.effects.push(effect);
      all.push(...this.facts(this.#perform(effect)));
    }
    return all;
  }

  #perform({ id, effect }: OwedEffect): Fact[] {
    if (this.refuses(effect)) return [{ type: 'refused', effect: id, code: 409, says: 'not now' }];
    switch (effect.kind) {
      case 'put':
      case 'delete': {
        const fact = this.set(effect.bucket, effect.key, effect.kind === 'put' ? effect.value : undefined);
        const seen = [...this.loaded].some((read) => bucketsOf(read).includes(effect.bucket));
        return [{ type: 'done', effect: id, revision: fact.revision }, ...(seen ? [fact] : [])];
      }
      case 'raise': {
        const records = this.#bucket('mesh-router_asks');
        if (records.has(effect.ask)) return [{ type: 'done', effect: id }];
        const record: AskRecord = {
          asker: 'mesh-provisioner',
          subject: effect.subject,
          question: effect.question,
          proof: null,
          options: ['Approve', 'Keep'],
          state: 'open',
          raisedAt: new Date(this.now).toISOString(),
        };
        const fact = this.set('mesh-router_asks', effect.ask, record);
        return [{ type: 'done', effect: id }, ...(this.loaded.has('asks') ? [fact] : [])];
      }
      case 'end': {
        const record = this.#bucket('mesh-router_asks').get(effect.ask)?.value as AskRecord | undefined;
        if (record === undefined) return [{ type: 'done', effect: id }];
        const fact = this.set('mesh-router_asks', effect.ask, { ...record, state: 'ended', why: effect.why });
        return [{ type: 'done', effect: id }, ...(this.loaded.has('asks') ? [fact] : [])];
      }
      case 'prove': {
        const place = effect.key.split('.').slice(0, 2).join('.');
        const module = place.split('.')[1] ?? '';
        const wanted = [
          ['mesh-placement_modules', place],
          ['mesh-controller_wants', place],
          ['mesh-host_haves', place],
          ['mesh-indexer_modules', module],
        ] as const;
        const entries = wanted.map(([bucket, key]): EntryFact => {
          const held = this.#bucket(bucket).get(key);
          const value = this.live.get(`${bucket} ${key}`) ?? held?.value;
          return { type: 'entry', bucket, key, revision: held?.revision ?? 0, ...(value === undefined ? {} : { value }) };
        });
        return [{ type: 'proved', effect: id, entries }];
      }
    }
  }

  #bucket(bucket: string) {
    const entries = this.buckets.get(bucket) ?? new Map<string, { revision: number; value: unknown }>();
    this.buckets.set(bucket, entries);
    return entries;
  }
}
