import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { FaultKind } from '../bus/contracts/faults.ts';
import { KeyState } from '../bus/contracts/provisions.ts';
import type { Health } from '../bus/contracts/verbs.ts';
import { ASKER } from '../kernel/entries-seen.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Effect } from '../machines/effects.ts';
import type { Fact } from '../machines/facts.ts';
import { WATCHED_READS } from '../machines/gate.ts';
import type { Watcher } from '../seat/run.ts';
import type { Turned } from '../seat/turn.ts';
import type { Probed } from './probes.ts';

/** The part of a running seat that metrics are taken of. */
export interface Measured extends Probed {
  health(): Health;
}

const FACTS = namesIn<Fact['type']>({
  entry: true,
  'out-of-shape': true,
  loaded: true,
  missing: true,
  due: true,
  done: true,
  refused: true,
  withheld: true,
  proved: true,
  word: true,
  'seat-taken': true,
  slept: true,
});
const EFFECTS = namesIn<Effect['kind']>({ put: true, delete: true, raise: true, end: true, prove: true });
const OUTCOMES = ['done', 'refused', 'withheld'] as const;
/** Those of providers are one series: their modules would be labels without end. */
const READS = [...WATCHED_READS, 'bound'] as const;
const ASKS = ['open', 'waiting'] as const;
const PREFIX = 'mesh_provisioner_';

/**
 * What Prometheus scrapes. Every series is there from the start, at 0, and no label holds a node, a module or a key. An instance that
 * stands by knows nothing of the mesh: of it all is 0 but what is of the process and the bus.
 */
export class Metrics implements Watcher {
  readonly #registry = new Registry();
  readonly #kinds = new Map<string, Effect['kind']>();
  #kernel: Kernel | undefined;
  #isConnected = true;

  readonly #turns = this.#counter('turns_total', 'Turns of the seat, a record of its journal each.', {});
  readonly #facts = this.#counter('facts_total', 'Facts that the seat acted on, by type.', { type: FACTS });
  readonly #effects = this.#counter('effects_total', 'What became of effects, by kind and outcome; one may be refused many times.', {
    kind: EFFECTS,
    outcome: OUTCOMES,
  });
  readonly #taken = this.#counter('seat_taken_total', 'How often this instance took the seat.', {});
  readonly #lost = this.#counter('seat_lost_total', 'How often this instance lost the seat, or gave it back.', {});

  /** @param now the time of day, in milliseconds since 1970 */
  constructor(
    private readonly seat: () => Measured | undefined,
    private readonly now: () => number,
  ) {
    collectDefaultMetrics({ register: this.#registry });
    this.#ofThisInstance();
    this.#ofThePicture();
    this.#ofTheMesh();
  }

  /** The metrics as text, and its content type. */
  async scrape(): Promise<{ readonly text: string; readonly type: string }> {
    return { text: await this.#registry.metrics(), type: this.#registry.contentType };
  }

  connected(isConnected: boolean): void {
    this.#isConnected = isConnected;
  }

  held(kernel: Kernel): void {
    this.#kernel = kernel;
    this.#kinds.clear();
    for (const { id, effect } of kernel.owed.values()) this.#kinds.set(id, effect.kind);
    this.#taken.inc();
  }

  away(): void {
    if (this.#kernel !== undefined) this.#lost.inc();
    this.#kernel = undefined;
  }

  turned({ facts, effects }: Turned): void {
    this.#turns.inc();
    for (const { id, effect } of effects) this.#kinds.set(id, effect.kind);
    for (const fact of facts) {
      this.#facts.inc({ type: fact.type });
      if ('effect' in fact) this.#became(fact.effect, fact.type);
    }
  }

  #became(id: string, type: 'done' | 'refused' | 'withheld' | 'proved'): void {
    const kind = this.#kinds.get(id);
    if (kind === undefined) return;
    this.#effects.inc({ kind, outcome: type === 'proved' ? 'done' : type });
    if (!this.#kernel?.owed.has(id)) this.#kinds.delete(id);
  }

  #ofThisInstance(): void {
    const probe = () => this.seat()?.probe();
    this.#gauge('bus_connected', 'Whether the connection to the bus stands.', () => Number(this.#isConnected));
    this.#gauge('ready', 'Whether the seat is held and the gate is open.', () => Number(this.seat()?.ready() ?? false));
    this.#gauge('seat_held', 'Whether this instance holds the seat.', () =>
      Number(this.#kernel !== undefined && probe()?.notHeld === undefined),
    );
    this.#gauge('seat_epoch', 'The epoch of this holding of the seat.', () => this.#kernel?.seat.epoch ?? 0);
    this.#gauge(
      'lease_left_seconds',
      'For how long effects may still leave unless the lease is renewed.',
      () => (probe()?.leaseLeftMs ?? 0) / 1000,
    );
    this.#gauge('journal_sequence', 'The last record of the journal that is folded.', () => this.#kernel?.position.sequence ?? 0);
    this.#gauges('effects_owed', 'Effects without outcome, by kind.', 'kind', EFFECTS, (count) => {
      for (const { effect } of this.#kernel?.owed.values() ?? []) count(effect.kind);
    });
  }

  #ofThePicture(): void {
    this.#gauge('gate_open', 'Whether every read that stands before a pass is loaded.', () => Number(this.#kernel?.gateOpen() ?? false));
    this.#gauges('reads_missing', 'Reads that are not loaded, by read; bound counts those of providers.', 'read', READS, (count) => {
      for (const { read, missing } of this.seat()?.probe().reads ?? [])
        if (missing !== undefined) count(read.startsWith('bound.') ? 'bound' : (read as (typeof READS)[number]));
    });
  }

  #ofTheMesh(): void {
    const health = () => (this.#kernel === undefined ? undefined : this.seat()?.health());
    this.#gauge('nodes', 'Nodes that were ever judged.', () => this.#kernel?.nodes().length ?? 0);
    this.#gauges('keys', 'Keys as their entries were acknowledged, by state.', 'state', KeyState.options, (count) => {
      for (const { state } of this.#kernel?.shown.values() ?? []) count(state);
    });
    this.#gauge('keys_failed', 'Keys whose provider says that it failed.', () => this.#failed());
    this.#gauges('faults', 'Faults that stand, by kind.', 'kind', FaultKind.options, (count) => {
      for (const { kind } of health()?.faults ?? []) count(kind);
    });
    this.#gauges('asks', 'Asks of the seat that stand open at the router, and those that wait for a place.', 'state', ASKS, (count) => {
      const { open, waiting } = health()?.asks ?? { open: 0, waiting: 0 };
      count('open', open);
      count('waiting', waiting);
    });
    this.#gauges('asks_oldest_age_seconds', 'The age of the oldest ask in each state; 0 where there is none.', 'state', ASKS, (count) => {
      const age = (since: string | undefined) => (since === undefined ? 0 : Math.max(0, this.now() - Date.parse(since)) / 1000);
      count('open', age(this.#oldestOpen()));
      count('waiting', age(health()?.asks.oldestWaiting));
    });
  }

  #failed(): number {
    let failed = 0;
    for (const { detail } of this.#kernel?.shown.values() ?? []) if (detail === 'failed') failed += 1;
    return failed;
  }

  #oldestOpen(): string | undefined {
    const open = [...(this.#kernel?.records.values() ?? [])].filter(({ asker, state }) => asker === ASKER && state === 'open');
    return open.map(({ raisedAt }) => raisedAt).sort()[0];
  }

  #counter<L extends string>(name: string, help: string, labels: Readonly<Record<L, readonly string[]>>): Counter<L> {
    const labelNames = Object.keys(labels) as L[];
    const counter = new Counter<L>({ name: `${PREFIX}${name}`, help, labelNames, registers: [this.#registry] });
    for (const series of combined(labels)) counter.inc(series as Partial<Record<L, string>>, 0);
    return counter;
  }

  #gauge(name: string, help: string, value: () => number): void {
    new Gauge({
      name: `${PREFIX}${name}`,
      help,
      registers: [this.#registry],
      collect() {
        this.set(value());
      },
    });
  }

  /** A gauge with one label; what is not counted is 0. */
  #gauges<V extends string>(
    name: string,
    help: string,
    label: string,
    values: readonly V[],
    tell: (count: (value: V, by?: number) => void) => void,
  ): void {
    new Gauge<string>({
      name: `${PREFIX}${name}`,
      help,
      labelNames: [label],
      registers: [this.#registry],
      collect() {
        const counts = new Map<V, number>(values.map((value) => [value, 0]));
        tell((value, by = 1) => counts.set(value, (counts.get(value) ?? 0) + by));
        for (const [value, count] of counts) this.set({ [label]: value }, count);
      },
    });
  }
}

/** Each name of a union, none left out: what has no series from the start is missed by every alert on it. */
function namesIn<N extends string>(names: Readonly<Record<N, true>>): readonly N[] {
  return Object.keys(names) as N[];
}

/** Every series that labels can make. */
function combined(labels: Readonly<Record<string, readonly string[]>>): Record<string, string>[] {
  return Object.entries(labels).reduce<Record<string, string>[]>(
    (made, [label, values]) => made.flatMap((series) => values.map((value) => ({ ...series, [label]: value }))),
    [{}],
  );
}
