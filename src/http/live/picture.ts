import { gateReads } from '../../bus/contracts/buckets.ts';
import type { Fault } from '../../bus/contracts/faults.ts';
import type { Plan } from '../../bus/contracts/plans.ts';
import type { Provision } from '../../bus/contracts/provisions.ts';
import { namesOf } from '../../bus/contracts/tokens.ts';
import type { Health } from '../../bus/contracts/verbs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { asksOf, healthOf } from '../../kernel/words-that-read.ts';
import type { OwedEffect } from '../../machines/effects.ts';
import { nodeRoot } from '../../machines/effects.ts';
import type { Turned } from '../../seat/turn.ts';
import type { Counts, Head, Present, Tile } from './frames.ts';

const PROVISIONS = 'mesh-provisioner_provisions';
/** Buckets whose keys begin with the node that they may bring or take away. */
const OF_NODES = new Set(['mesh-placement_modules', 'mesh-placement_machines', 'mesh-controller_wants', 'mesh-host_haves', PROVISIONS]);
const FAULTS_MAX = 50;
const WAITING_MAX = 100;

/** The present of the mesh, node by node, kept up with what each turn touched: nothing of it looks at the whole mesh for one change. */
export class LivePicture {
  /** Every key that is shown, by node and key. */
  readonly #keys = new Map<string, Map<string, keyof Counts>>();
  readonly #touched = new Set<string>();
  #faultsOf = new Map<string, number>();
  #headText = '';

  constructor(
    readonly kernel: Kernel,
    private readonly bus: string,
  ) {
    for (const [key, provision] of kernel.shown) this.#show(key, provision);
  }

  note({ facts, done, moves }: Turned): void {
    for (const { effect } of done) if ('bucket' in effect) this.#written(effect);
    for (const fact of facts) {
      if (fact.type !== 'entry' || !OF_NODES.has(fact.bucket)) continue;
      if (fact.bucket === PROVISIONS) this.#show(fact.key, this.kernel.shown.get(fact.key));
      const node = namesOf(fact.key)?.[0];
      if (node !== undefined) this.#touched.add(node);
    }
    for (const { actor } of moves) if (actor.startsWith('node.') && !actor.includes('/')) this.#touched.add(actor.slice('node.'.length));
  }

  whole(): Present {
    const health = healthOf(this.kernel);
    this.#countFaults(health);
    this.#touched.clear();
    const head = this.#head(health);
    this.#headText = JSON.stringify(head);
    const nodes = new Set([...this.kernel.picture.places.nodes(), ...this.#keys.keys()]);
    return { isWhole: true, ...this.#position(), head, tiles: [...nodes].sort().map((node) => this.#tile(node)), gone: [] };
  }

  /** What changed since the last time; `undefined` where nothing did. */
  changes(): Present | undefined {
    const health = healthOf(this.kernel);
    for (const node of this.#countFaults(health)) this.#touched.add(node);
    const touched = [...this.#touched].sort();
    this.#touched.clear();
    const placed = touched.length === 0 ? new Set<string>() : new Set(this.kernel.picture.places.nodes());
    const isThere = (node: string) => placed.has(node) || this.#keys.has(node);
    const head = this.#head(health);
    const text = JSON.stringify(head);
    const isNew = text !== this.#headText;
    this.#headText = text;
    if (touched.length === 0 && !isNew) return undefined;
    const tiles = touched.filter(isThere).map((node) => this.#tile(node));
    return { isWhole: false, ...this.#position(), ...(isNew ? { head } : {}), tiles, gone: touched.filter((node) => !isThere(node)) };
  }

  /** The keys of one node, each with its entry, in order. */
  keysOf(node: string): { key: string; value: Provision }[] {
    const keys = [...(this.#keys.get(node)?.keys() ?? [])].sort();
    return keys.map((key) => ({ key, value: this.kernel.shown.get(key)! }));
  }

  /** Its faults, its own and those that name it. */
  faultsOf(node: string): readonly Fault[] {
    return healthOf(this.kernel).faults.filter((fault) => fault.node === node);
  }

  plansOf(node: string): { key: string; value: Plan }[] {
    const plans = [...this.kernel.plans].filter(([key]) => namesOf(key)?.[0] === node);
    return plans.map(([key, value]) => ({ key, value })).sort((one, other) => (one.key < other.key ? -1 : 1));
  }

  #written(effect: Extract<OwedEffect['effect'], { bucket: string }>): void {
    if (effect.bucket === PROVISIONS) this.#show(effect.key, this.kernel.shown.get(effect.key));
  }

  #show(key: string, provision: Provision | undefined): void {
    const node = namesOf(key)?.[0];
    if (node === undefined) return;
    this.#touched.add(node);
    const keys = this.#keys.get(node) ?? new Map<string, keyof Counts>();
    if (provision === undefined) keys.delete(key);
    else keys.set(key, provision.detail === 'failed' ? 'failed' : provision.state);
    if (keys.size === 0) this.#keys.delete(node);
    else this.#keys.set(node, keys);
  }

  #tile(node: string): Tile {
    const keys = this.#keys.get(node) ?? new Map<string, keyof Counts>();
    const counts: Record<keyof Counts, number> = { loading: 0, judging: 0, provided: 0, held: 0, retiring: 0, failed: 0 };
    for (const state of keys.values()) counts[state] += 1;
    const modules = new Set([...keys.keys()].map((key) => namesOf(key)?.[1] ?? ''));
    for (const [, { module }] of this.kernel.picture.places.onNode(node)) modules.add(module);
    const state = this.kernel.roots.snapshot(nodeRoot(node))?.value;
    return {
      node,
      ...(typeof state === 'string' ? { state } : {}),
      counts,
      faults: this.#faultsOf.get(node) ?? 0,
      isBraked: this.kernel.node(node)?.brake !== undefined,
      modules: [...modules].sort(),
    };
  }

  /** Returns the nodes whose number of faults is another than it was. */
  #countFaults({ faults }: Health): string[] {
    const before = this.#faultsOf;
    const now = new Map<string, number>();
    for (const { node } of faults) if (node !== undefined) now.set(node, (now.get(node) ?? 0) + 1);
    this.#faultsOf = now;
    return [...new Set([...before.keys(), ...now.keys()])].filter((node) => before.get(node) !== now.get(node));
  }

  #position() {
    const { sequence: seq, at } = this.kernel.position;
    return { seq, at };
  }

  #head({ gate, faults, asks, seat }: Health): Head {
    const { open, waiting } = asksOf(this.kernel);
    const oldest = [...faults].sort((one, other) => (one.since < other.since ? -1 : 1)).slice(0, FAULTS_MAX);
    return {
      bus: this.bus,
      seat,
      gate: { ...gate, reads: gateReads.length },
      faultsTotal: faults.length,
      faults: oldest,
      waitingTotal: waiting.length,
      ...(asks.oldestWaiting === undefined ? {} : { oldestWaiting: asks.oldestWaiting }),
      asks: { open, waiting: waiting.slice(0, WAITING_MAX) },
    };
  }
}
