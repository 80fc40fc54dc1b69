/**
 * The kernel runs the machines: it folds records of facts into the picture and the root actors, carries words between roots in one
 * queue, and hands out what they want done. It is the whole state of the seat; the same records always make the same one (E1).
 *
 * One step: every fact in its order; then, with the gate open, a pass of each node that a fact touched; then the effects, with ids.
 */
import type { AskRecord } from '../bus/contracts/asks.ts';
import type { Plan } from '../bus/contracts/plans.ts';
import type { Provision } from '../bus/contracts/provisions.ts';
import type { Pass } from '../bus/contracts/verbs.ts';
import { answerOf } from '../machines/answers.ts';
import { nodeRoot, type OwedEffect, SUPERVISOR } from '../machines/effects.ts';
import type { Fact, JournalRecord } from '../machines/facts.ts';
import type { NodeContext, NodeSettings, PassEvent } from '../machines/node-events.ts';
import { Picture } from '../machines/picture.ts';
import { gateOpen, supervisorMachine } from '../machines/supervisor.ts';
import type { SupervisorContext } from '../machines/supervisor-context.ts';
import type { SupervisorEvent } from '../machines/supervisor-events.ts';
import { Carrier } from './carrier.ts';
import { counted, entrySeen } from './entries-seen.ts';
import { emptyMemory, type KernelMemory, type KernelPosition } from './memory.ts';
import type { Move } from './moves.ts';
import { outcome } from './outcomes-of-effects.ts';
import { Owed } from './owed.ts';
import { passOf } from './pass-of.ts';
import { pieceOf } from './piece-names.ts';
import type { KernelReply } from './reply.ts';
import { Roots } from './roots.ts';
import type { Telling } from './telling.ts';
import { act } from './words-that-act.ts';

export interface KernelSettings extends NodeSettings {
  readonly asksOpenMax: number;
  readonly askRecordMs: number;
}

export interface Step {
  readonly effects: readonly OwedEffect[];
  readonly replies: readonly { readonly ticket: string; readonly reply: KernelReply }[];
  readonly moves: readonly Move[];
}

export class Kernel {
  readonly picture = new Picture();
  readonly roots = new Roots();
  /** What is neither picture nor actors, for `snapshot.ts` to keep and to bring back (E2). */
  readonly memory: KernelMemory = emptyMemory();
  readonly settings: KernelSettings;
  readonly #owed = new Owed(this.memory);
  readonly #carrier: Carrier;
  readonly #telling: Telling;
  #replies: { ticket: string; reply: KernelReply }[] = [];
  #sequence = 0;
  #at = 0;
  #seat = { instance: '', epoch: 0 };
  #wasOpen = false;
  #askedAgain = false;

  constructor(settings: KernelSettings) {
    this.settings = settings;
    this.#carrier = new Carrier(this.roots, this.memory, this.#owed, settings);
    this.#telling = this.#tellingOf(this);
    const { asksOpenMax, askRecordMs, brakeWindowMs, brakeSettleMs } = settings;
    this.roots.open(SUPERVISOR, supervisorMachine, { asksOpenMax, askRecordMs, brakeWindowMs, brakeSettleMs });
  }

  /** Folds one record, whose sequence in the journal is given; returns what is to be done and answered. */
  step(sequence: number, record: JournalRecord): Step {
    this.#sequence = sequence;
    this.#at = record.at;
    this.#replies = [];
    this.#owed.begin(sequence);
    this.#carrier.reports.clear();
    for (const fact of record.facts) this.#take(fact);
    this.#judge();
    return { effects: this.#owed.made(), replies: this.#replies, moves: this.roots.moves.take() };
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
    return this.memory.owed;
  }

  get seat(): { readonly instance: string; readonly epoch: number } {
    return this.#seat;
  }

  wakes(): ReadonlyMap<string, number> {
    return this.memory.wakes;
  }

  get shown(): ReadonlyMap<string, Provision> {
    return this.memory.shown;
  }

  get plans(): ReadonlyMap<string, Plan> {
    return this.memory.plans;
  }

  get records(): ReadonlyMap<string, AskRecord> {
    return this.memory.records;
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

  /** Every node that was ever judged or adopted, in order. */
  nodes(): readonly string[] {
    const prefix = nodeRoot('');
    return this.roots
      .names()
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length));
  }

  /** What a pass of the node would be judged from now. */
  passOf(node: string, word?: PassEvent['word']): PassEvent {
    const { picture, settings, memory } = this;
    return passOf({ node, at: this.#at, dwellMs: settings.dwellMs, picture, context: this.node(node), records: memory.records, word });
  }

  #take(fact: Fact): void {
    const at = this.#at;
    switch (fact.type) {
      case 'entry':
        this.memory.changed.add(pieceOf(fact.bucket, fact.key));
        this.#touch(this.picture.apply(fact, at));
        entrySeen(this.#telling, fact);
        return;
      case 'out-of-shape':
        this.#tell({ type: 'key out of shape', at, bucket: fact.bucket, key: fact.key, says: fact.says });
        return;
      case 'loaded':
        this.#touch(this.picture.applyLoaded(fact, at));
        if (fact.read === 'asks') this.#askedAgain = true;
        this.#tell({ type: 'read loaded', at, read: fact.read, streams: counted(this.#telling, fact.streams) });
        return;
      case 'missing':
        this.#touch(this.picture.applyMissing(fact));
        this.#tell({ type: 'read missing', at, read: fact.read, why: fact.why });
        return;
      case 'due':
        this.memory.wakes.delete(fact.owner);
        if (fact.owner === SUPERVISOR) this.#tell({ type: 'due', at });
        else this.memory.dirty.add(fact.owner.slice(nodeRoot('').length));
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
        for (const node of this.nodes()) this.#carrier.tellNode(node, { type: 'slept', at, forMs: fact.forMs });
        return;
    }
  }

  #outcome(fact: Parameters<typeof outcome>[1]): void {
    const settled = outcome(this.#telling, fact);
    const ticket = settled && this.memory.tickets.get(settled.id);
    if (settled === undefined || ticket === undefined) return;
    this.memory.tickets.delete(settled.id);
    this.#replies.push({ ticket, reply: { ok: true, value: {} } });
  }

  #word({ ticket, verb, request }: Extract<Fact, { type: 'word' }>): void {
    const reply = act(this.#telling, verb, request, ticket);
    if (reply !== undefined) this.#replies.push({ ticket, reply });
  }

  /** The kernel as those see it who work off its facts. */
  #tellingOf(kernel: Kernel): Telling {
    return {
      get at() {
        return kernel.#at;
      },
      kernel,
      owed: this.#owed,
      tell: (event) => this.#tell(event),
      tellNode: (node, event) => this.#carrier.tellNode(node, event),
      carry: (root, event) => this.#carrier.carry(root, event),
      pass: (node, word) => this.#pass(node, word),
    };
  }

  #judge(): void {
    const open = this.#followGate();
    if (!open) return;
    for (const node of [...this.memory.dirty].sort()) this.#pass(node);
    if (!this.#askedAgain) return;
    this.#askedAgain = false;
    this.#tell({ type: 'mesh judged', at: this.#at });
  }

  #followGate(): boolean {
    const open = this.gateOpen();
    if (open && !this.#wasOpen) {
      for (const node of [...this.picture.places.nodes(), ...this.nodes()]) this.memory.dirty.add(node);
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
    for (const node of this.nodes()) this.#carrier.tellNode(node, { type: 'gate shut', at: this.#at });
  }

  #pass(node: string, word?: PassEvent['word']): Pass {
    this.memory.dirty.delete(node);
    this.#carrier.tellNode(node, this.passOf(node, word));
    const report = this.#carrier.reports.get(node) ?? { judged: 0, retires: [] };
    return { node, judged: report.judged, retires: [...report.retires], ...(report.braked === undefined ? {} : { braked: report.braked }) };
  }

  #touch({ nodes, outcomes }: ReturnType<Picture['apply']>): void {
    for (const node of nodes) this.memory.dirty.add(node);
    for (const { node, key } of outcomes) {
      const standing = this.node(node)?.keys[key];
      if (!this.gateOpen() || standing === undefined) this.memory.dirty.add(node);
      else this.#carrier.tellNode(node, { type: 'outcome', at: this.#at, key, answer: answerOf(this.picture, { key, ...standing }) });
    }
  }

  #tell(event: SupervisorEvent): void {
    this.#carrier.tell(event);
    this.#noteShut();
  }
}
