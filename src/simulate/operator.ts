import type { AskRecord } from '../bus/contracts/asks.ts';
import type { Health } from '../bus/contracts/verbs.ts';
import { type Bus, BusError } from '../bus/port.ts';
import type { Ledger } from './ledger.ts';
import type { Timeline } from './timeline.ts';

const TIMEOUT_MS = 5_000;
const said = { by: 'operator', why: 'it is meant so' };

/** Whoever answers asks and says the words that act. What comes of it, nobody waits for. */
export class Operator {
  readonly words: { readonly at: number; readonly node: string }[] = [];

  constructor(
    private readonly bus: Bus,
    private readonly ledger: Ledger,
    private readonly timeline: Timeline,
  ) {}

  answer(which: number, answer: 'Approve' | 'Keep', times: number): void {
    const open = this.#open();
    const id = open[which % Math.max(1, open.length)];
    if (id === undefined) return;
    for (let time = 0; time < times; time += 1) this.#say('mesh-router.answer', { id, answer, by: said.by });
  }

  approveAll(): void {
    for (const id of this.#open()) this.#say('mesh-router.answer', { id, answer: 'Approve', by: said.by });
  }

  reconsider(which: number): void {
    const keys = [...this.ledger.entries('mesh-provisioner_provisions').keys()].sort();
    const key = keys[which % Math.max(1, keys.length)];
    if (key !== undefined) this.#say('mesh-provisioner.reconsider', { key, ...said });
  }

  compose(node: string): void {
    this.#say('mesh-provisioner.compose', { node, ...said });
  }

  /** Lets through what is braked: on a node, or all over the mesh. */
  letThrough(health: Health | undefined): void {
    for (const fault of health?.faults ?? []) {
      if (fault.kind === 'brake' && fault.node !== undefined) {
        this.words.push({ at: this.timeline.now(), node: fault.node });
        this.#say('mesh-provisioner.compose', { node: fault.node, 'retire-many': true, ...said });
      }
      if (fault.kind !== 'mesh-brake') continue;
      for (const node of ['n1', 'n2', 'n3']) this.words.push({ at: this.timeline.now(), node });
      const name = fault.module === undefined ? 'mesh-brake.all' : `mesh-brake.${fault.module}`;
      this.#say('mesh-provisioner.compose', { fault: name, 'retire-many': true, ...said });
    }
  }

  /** @param isSound every bucket holds what it is meant to: an operator looks before accepting */
  accept(health: Health | undefined, isSound: boolean): void {
    const suspect = (health?.faults ?? []).filter(({ kind }) => kind === 'suspect-read' && isSound);
    const reads = new Set(health?.gate.missing.map(({ read }) => read));
    if (suspect.length > 0) for (const read of reads) this.#say('mesh-provisioner.accept', { read, ...said });
  }

  #open(): string[] {
    const asks = [...this.ledger.entries('mesh-router_asks')] as [string, AskRecord][];
    return asks.filter(([, { state }]) => state === 'open').map(([id]) => id);
  }

  #say(verb: string, request: unknown): void {
    void this.bus.request(verb, JSON.stringify(request), TIMEOUT_MS).catch((error: unknown) => {
      if (!(error instanceof BusError)) throw error;
    });
  }
}
