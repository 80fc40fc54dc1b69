/**
 * The kernel runs the machines: it folds records of facts into the picture and the root actors, carries words between roots in one
 * queue, and hands out what they want done. It is the whole state of the seat; the same records always make the same one (E1).
 *
 * One step: every fact in its order; then, with the gate open, a pass of each node that a fact touched; then the effects, with ids.
 */
import type { AskRecord } from '../bus/contracts/asks.ts';
import type { Plan } from '../bus/contracts/plans.ts';
import type { Provision } from '../bus/contracts/provisions.ts';
import { namesOf } from '../bus/contracts/tokens.ts';
import type { Pass as PassAnswer } from '../bus/contracts/verbs.ts';
import { answerOf } from '../machines/answers.ts';
import { composeNode } from '../machines/compose.ts';
import type { Effect, OwedEffect } from '../machines/effects.ts';
import { nodeRoot, SUPERVISOR } from '../machines/effects.ts';
import type { EntryFact, Fact, JournalRecord, LoadedStream } from '../machines/facts.ts';
import { nodeMachine } from '../machines/node.ts';
import type { NodeContext, NodeEvent, NodeSettings, PassEvent, PassReport } from '../machines/node-events.ts';
import { Picture } from '../machines/picture.ts';
import { gateOpen, supervisorMachine } from '../machines/supervisor.ts';
import type { SupervisorContext } from '../machines/supervisor-context.ts';
import type { SupervisorEvent } from '../machines/supervisor-events.ts';
import { floorOf, foundNeeded, providerGone, standingOfNode } from './evidence-of-keys.ts';
import type { Move } from './moves.ts';
import { pieceOf, pieceOfRoot } from './piece-names.ts';
import type { KernelReply } from './reply.ts';
import { Roots } from './roots.ts';
import { type Acting, act } from './words-that-act.ts';

export interface KernelSettings extends NodeSettings {
  readonly asksOpenMax: number;
  readonly askRecordMs: number;
}

/** The kernel's own collections: live ones, not copies. */
export interface KernelMemory {
  readonly owed: Map<string, OwedEffect>;
  /** By bucket and key, what is owed there. */
  readonly owedAt: Map<string, string>;
  readonly wakes: Map<string, number>;
  readonly shown: Map<string, Provision>;
  readonly plans: Map<string, Plan>;
  readonly records: Map<string, AskRecord>;
  readonly refused: Map<string, { says: string; since: number; effect: Effect }>;
  readonly tickets: Map<string, string>;
  readonly dirty: Set<string>;
  /** The pieces that changed since a snapshot last took them. */
  readonly changed: Set<string>;
}

/** How far the kernel has folded, and what it knows of itself. */
export interface KernelPosition {
  readonly sequence: number;
  readonly at: number;
  readonly seat: { readonly instance: string; readonly epoch: number };
  readonly wasOpen: boolean;
  readonly askedAgain: boolean;
}

export interface Step {
  readonly effects: readonly OwedEffect[];
  readonly replies: readonly { readonly ticket: string; readonly reply: KernelReply }[];
  readonly moves: readonly Move[];
}

const PROVISIONS = 'mesh-provisioner_provisions';
const PLANS = 'mesh-provisioner_plans';
const ASKS = 'mesh-router_asks';
export const ASKER = 'mesh-provisioner';

export class Kernel {
  readonly picture = new Picture();
  readonly roots = new Roots();
  readonly settings: KernelSettings;
  readonly #owed = new Map<string, OwedEffect>();
  readonly #owedAt = new Map<string, string>();
  readonly #wakes = new Map<string, number>();
  readonly #shown = new Map<string, Provision>();
  readonly #plans = new Map<string, Plan>();
  readonly #records = new Map<string, AskRecord>();
  readonly #refused = new Map<string, { says: string; since: number; effect: Effect }>();
  readonly #tickets = new Map<string, string>();
  readonly #dirty = new Set<string>();
  readonly #changed = new Set<string>();
  #seat = { instance: '', epoch: 0 };
  #wasOpen = false;
  #askedAgain = false;
  #effects: OwedEffect[] = [];
  #replies: { ticket: string; reply: KernelReply }[] = [];
  #passes = new Map<string, PassReport>();
  #sequence = 0;
  #at = 0;

  constructor(settings: KernelSettings) {
    this.settings = settings;
    const { asksOpenMax, askRecordMs, brakeWindowMs, brakeSettleMs } = settings;
    this.roots.open(SUPERVISOR, supervisorMachine, { asksOpenMax, askRecordMs, brakeWindowMs, brakeSettleMs });
  }

  /** Folds one record, whose sequence in the journal is given; returns what is to be done and answered. */
  step(sequence: number, record: JournalRecord): Step {
    this.#sequence = sequence;
    this.#at = record.at;
    this.#effects = [];
    this.#replies = [];
    this.#passes = new Map();
    for (const fact of record.facts) this.#take(fact);
    this.#judge();
    return { effects: this.#effects.filter(({ id }) => this.#owed.has(id)), replies: this.#replies, moves: this.roots.moves.take() };
  }

  /** What is neither picture nor actors, for `snapshot.ts` to keep and to bring back (E2). */
  get memory(): KernelMemory {
    const [owed, owedAt, wakes, shown, plans, records] = [this.#owed, this.#owedAt, this.#wakes, this.#shown, this.#plans, this.#records];
    const [refused, tickets, dirty, changed] = [this.#refused, this.#tickets, this.#dirty, this.#changed];
    return { owed, owedAt, wakes, shown, plans, records, refused, tickets, dirty, changed };
  }

  get position(): KernelPosition {
    return { sequence: this.#sequence, at: this.#at, seat: this.#seat, wasOpen: this.#wasOpen, askedAgain: this.#askedAgain };
  }

  /** Stands where a snapshot was made. */
  resume({ sequence, at, seat, wasOpen, askedAgain }: KernelPosition): void {
    this.#sequence = sequence;
    this.#at = at;
    this.#seat = seat;
    this.#wasOpen = wasOpen;
    this.#askedAgain = askedAgain;
  }

  get owed(): ReadonlyMap<string, OwedEffect> {
    return this.#owed;
  }

  get seat(): { readonly instance: string; readonly epoch: number } {
    return this.#seat;
  }

  /** When each owner wants to be woken, in milliseconds since 1970. */
  wakes(): ReadonlyMap<string, number> {
    return this.#wakes;
  }

  /** Entries as their writes were acknowledged (E5). */
  get shown(): ReadonlyMap<string, Provision> {
    return this.#shown;
  }

  get plans(): ReadonlyMap<string, Plan> {
    return this.#plans;
  }

  /** The builtin router's records, those whose write is still owed too. */
  get records(): ReadonlyMap<string, AskRecord> {
    return this.#records;
  }

  /** Writes that the store refused and that are still owed, by effect. */
  get refusedWrites(): ReadonlyMap<string, { readonly says: string; readonly since: number; readonly effect: Effect }> {
    return this.#refused;
  }

  get supervisor(): SupervisorContext {
    return this.roots.snapshot(SUPERVISOR)?.context as SupervisorContext;
  }

  /** A supervisor that was set aside would never shut it again. */
  gateOpen(): boolean {
    return !this.roots.aside().has(SUPERVISOR) && gateOpen(this.roots.snapshot(SUPERVISOR));
  }

  /** A node's context; `undefined` where nothing was ever judged or adopted of it. */
  node(name: string): NodeContext | undefined {
    return this.roots.snapshot(nodeRoot(name))?.context as NodeContext | undefined;
  }

  /** What a pass of the node would be judged from now. */
  passOf(node: string, word?: { by: string }): PassEvent {
    const at = this.#at;
    const context = this.node(node);
    const composed = composeNode(this.picture, node, standingOfNode(context), at, this.settings.dwellMs);
    const unneeded = Object.entries(context?.keys ?? {}).filter(([key]) => composed.needs[key] === undefined);
    const retiring = unneeded.filter(([, { state }]) => state === 'retiring');
    return {
      type: 'pass',
      at,
      composed,
      answers: Object.fromEntries(retiring.map(([key, standing]) => [key, answerOf(this.picture, { key, ...standing })])),
      providerGone: retiring.filter(([, { provider }]) => providerGone(this.picture, provider)).map(([key]) => key),
      floors: Object.fromEntries(
        Object.values(composed.needs)
          .filter(({ key }) => context?.keys[key] === undefined)
          .map((need) => [need.key, floorOf(this.picture, this.#records, need)]),
      ),
      ...(word === undefined ? {} : { word }),
    };
  }

  #take(fact: Fact): void {
    const at = this.#at;
    switch (fact.type) {
      case 'entry':
        this.#changed.add(pieceOf(fact.bucket, fact.key));
        this.#touch(this.picture.apply(fact, at));
        this.#entrySeen(fact);
        return;
      case 'out-of-shape':
        this.#tell({ type: 'key out of shape', at, bucket: fact.bucket, key: fact.key, says: fact.says });
        return;
      case 'loaded':
        this.#touch(this.picture.applyLoaded(fact, at));
        if (fact.read === 'asks') this.#askedAgain = true;
        this.#tell({ type: 'read loaded', at, read: fact.read, streams: this.#counted(fact.streams) });
        return;
      case 'missing':
        this.#touch(this.picture.applyMissing(fact));
        this.#tell({ type: 'read missing', at, read: fact.read, why: fact.why });
        return;
      case 'due':
        this.#wakes.delete(fact.owner);
        if (fact.owner === SUPERVISOR) this.#tell({ type: 'due', at });
        else this.#dirty.add(fact.owner.slice(nodeRoot('').length));
        return;
      case 'done':
      case 'refused':
      case 'withheld':
      case 'proved':
        this.#outcome(fact);
        return;
      case 'word':
        this.#word(fact);
        return;
      case 'seat-taken':
        this.#seat = { instance: fact.instance, epoch: fact.epoch };
        this.#tell({ type: 'seat taken', at });
        return;
      case 'slept':
        this.#tell({ type: 'slept', at, forMs: fact.forMs });
        for (const node of this.nodes()) this.#tellNode(node, { type: 'slept', at, forMs: fact.forMs });
        return;
    }
  }

  /** Loads are compared by what the picture holds of them: a key out of its bucket's shape is in no count. */
  #counted(streams: readonly LoadedStream[]): readonly LoadedStream[] {
    return streams.map((stream) => ({ ...stream, entries: this.picture.entries(stream.bucket).size }));
  }

  #entrySeen(fact: EntryFact): void {
    const at = this.#at;
    const { bucket, key, revision } = fact;
    this.#tell({
      type: 'entry seen',
      at,
      bucket,
      key,
      revision,
      ...(fact.unreadable === undefined ? {} : { unreadable: fact.unreadable }),
      entries: this.picture.entries(bucket).size,
    });
    if (bucket === ASKS && fact.unreadable === undefined) this.#recordSeen(key, fact.value as AskRecord | undefined);
    if (bucket !== PROVISIONS || fact.value === undefined) return;
    const [node, module] = namesOf(key) ?? [];
    if (node === undefined || module === undefined || this.node(node)?.keys[key] !== undefined) return;
    this.#shown.set(key, fact.value as Provision);
    this.#tellNode(node, { type: 'adopt', at, key, module, entry: fact.value as Provision });
  }

  #recordSeen(id: string, record: AskRecord | undefined): void {
    const owed = this.#owedAt.get(entryName(ASKS, id)) !== undefined;
    if (!owed && record !== undefined) this.#records.set(id, record);
    if (!owed && record === undefined) this.#records.delete(id);
    if (record !== undefined && record.asker !== ASKER) return;
    const seen = record && {
      state: record.state,
      subject: record.subject,
      ...(record.answer === undefined ? {} : { answer: record.answer, by: record.by ?? 'somebody' }),
      ...(record.answeredAt === undefined ? {} : { answeredAt: Date.parse(record.answeredAt) }),
    };
    this.#tell({ type: 'record seen', at: this.#at, id, ...(seen === undefined ? {} : { record: seen }) });
  }

  #outcome(fact: Extract<Fact, { type: 'done' | 'refused' | 'withheld' | 'proved' }>): void {
    const owed = this.#owed.get(fact.effect);
    if (owed === undefined) return;
    const { effect, owner } = owed;
    this.#changed.add(pieceOfRoot(owner));
    const stillOwed = fact.type === 'refused' && effect.kind !== 'raise' && effect.kind !== 'prove';
    if (stillOwed) {
      this.#refused.set(owed.id, { says: fact.says, since: this.#refused.get(owed.id)?.since ?? this.#at, effect });
      return;
    }
    this.#settle(owed);
    const at = this.#at;
    const done = fact.type === 'done';
    const says = 'says' in fact ? fact.says : '';
    if (effect.kind === 'raise') {
      this.#tell(done ? { type: 'raise acknowledged', at, id: effect.ask } : { type: 'raise refused', at, id: effect.ask, says });
    } else if (effect.kind === 'end') {
      this.#tell({ type: 'end acknowledged', at, id: effect.ask });
    } else if (effect.kind === 'prove') {
      this.#proved(effect.key, fact);
    } else if (done) this.#written(owner, effect);
  }

  #settle({ id, effect }: OwedEffect): void {
    this.#owed.delete(id);
    this.#refused.delete(id);
    if ('bucket' in effect && this.#owedAt.get(entryName(effect.bucket, effect.key)) === id)
      this.#owedAt.delete(entryName(effect.bucket, effect.key));
    const ticket = this.#tickets.get(id);
    if (ticket === undefined) return;
    this.#tickets.delete(id);
    this.#replies.push({ ticket, reply: { ok: true, value: {} } });
  }

  #written(owner: string, effect: Extract<Effect, { kind: 'put' | 'delete' }>): void {
    const { bucket, key } = effect;
    const at = this.#at;
    if (bucket === PLANS) {
      if (effect.kind === 'put') this.#plans.set(key, effect.value as Plan);
      else this.#plans.delete(key);
    }
    if (bucket !== PROVISIONS) return;
    if (effect.kind === 'put') {
      const entry = effect.value as Provision;
      this.#shown.set(key, entry);
      this.#carry(owner, { type: 'entry written', at, key, state: entry.state });
    } else {
      this.#shown.delete(key);
      this.#carry(owner, { type: 'entry deleted', at, key });
    }
  }

  #proved(key: string, fact: Fact): void {
    const [node] = namesOf(key) ?? [];
    if (node === undefined) return;
    const at = this.#at;
    if (fact.type !== 'proved') {
      this.#tellNode(node, { type: 'proof failed', at, key });
      return;
    }
    const needed = foundNeeded(this.picture, key, fact.entries);
    this.#tellNode(node, { type: 'proof read', at, key, ...(needed === undefined ? {} : { needed }) });
  }

  #word(fact: Extract<Fact, { type: 'word' }>): void {
    const acting: Acting = {
      at: this.#at,
      kernel: this,
      tell: (event) => this.#tell(event),
      tellNode: (node, event) => this.#tellNode(node, event),
      pass: (node, word) => this.#pass(node, word),
      putRecord: (id, record) => {
        this.#records.set(id, record);
        this.#changed.add(pieceOf(ASKS, id));
        const owed = this.#owe('router', { kind: 'put', bucket: ASKS, key: id, value: record });
        this.#tickets.set(owed.id, fact.ticket);
      },
    };
    const reply = act(acting, fact.verb, fact.request);
    if (reply !== undefined) this.#replies.push({ ticket: fact.ticket, reply });
  }

  #judge(): void {
    const open = this.#followGate();
    if (!open) return;
    for (const node of [...this.#dirty].sort()) this.#pass(node);
    if (!this.#askedAgain) return;
    this.#askedAgain = false;
    this.#tell({ type: 'mesh judged', at: this.#at });
  }

  #followGate(): boolean {
    const open = this.gateOpen();
    if (open && !this.#wasOpen) {
      for (const node of [...this.picture.places.nodes(), ...this.nodes()]) this.#dirty.add(node);
      this.#askedAgain = true;
      this.picture.countAbsencesFrom(this.#at);
    }
    this.#wasOpen = open;
    return open;
  }

  /** Called after every word to the supervisor: a gate that shut, even within one record, begins every dwell again (B7). */
  #noteShut(): void {
    if (!this.#wasOpen || this.gateOpen()) return;
    this.#wasOpen = false;
    for (const node of this.nodes()) this.#tellNode(node, { type: 'gate shut', at: this.#at });
  }

  /** Every node that was ever judged or adopted, in order. */
  nodes(): readonly string[] {
    const prefix = nodeRoot('');
    return this.roots
      .names()
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length));
  }

  #pass(node: string, word?: { by: string }): PassAnswer {
    this.#dirty.delete(node);
    this.#tellNode(node, this.passOf(node, word));
    const report = this.#passes.get(node) ?? { judged: 0, retires: [] };
    return { node, judged: report.judged, retires: [...report.retires], ...(report.braked === undefined ? {} : { braked: report.braked }) };
  }

  #touch({ nodes, outcomes }: ReturnType<Picture['apply']>): void {
    for (const node of nodes) this.#dirty.add(node);
    for (const { node, key } of outcomes) {
      const standing = this.node(node)?.keys[key];
      if (!this.gateOpen() || standing === undefined) this.#dirty.add(node);
      else this.#tellNode(node, { type: 'outcome', at: this.#at, key, answer: answerOf(this.picture, { key, ...standing }) });
    }
  }

  #tell(event: SupervisorEvent): void {
    this.#carry(SUPERVISOR, event);
    this.#noteShut();
  }

  #tellNode(node: string, event: NodeEvent): void {
    const name = nodeRoot(node);
    if (!this.roots.has(name)) this.roots.open(name, nodeMachine, { node, settings: this.settings });
    this.#carry(name, event);
  }

  /** Sends an event, then carries every word it led to, in order, until none is left. */
  #carry(to: string, event: SupervisorEvent | NodeEvent): void {
    const queue: { to: string; event: SupervisorEvent | NodeEvent }[] = [{ to, event }];
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      this.#changed.add(pieceOfRoot(next.to));
      for (const { from, emitted } of this.roots.send(next.to, next.event)) {
        if (emitted.type === 'effect') this.#owe(from, emitted.effect);
        else if (emitted.to === 'clock') this.#wake(emitted.event as unknown as { owner: string; at: number });
        else if (emitted.to === 'seat') this.#notePass(emitted.event as unknown as { node: string; report: PassReport });
        else queue.push({ to: emitted.to, event: emitted.event as SupervisorEvent | NodeEvent });
      }
    }
  }

  #wake({ owner, at }: { owner: string; at: number }): void {
    this.#wakes.set(owner, Math.min(at, this.#wakes.get(owner) ?? at));
  }

  #notePass({ node, report }: { node: string; report: PassReport }): void {
    this.#passes.set(node, report);
  }

  #owe(owner: string, effect: Effect): OwedEffect {
    const owed: OwedEffect = { id: `${this.#sequence}.${this.#effects.length}`, owner, effect };
    if ('bucket' in effect) {
      const name = entryName(effect.bucket, effect.key);
      const older = this.#owedAt.get(name);
      if (older !== undefined) this.#owed.delete(older);
      if (older !== undefined) this.#refused.delete(older);
      this.#owedAt.set(name, owed.id);
    }
    this.#owed.set(owed.id, owed);
    this.#effects.push(owed);
    return owed;
  }
}

function entryName(bucket: string, key: string): string {
  return `${bucket} ${key}`;
}
