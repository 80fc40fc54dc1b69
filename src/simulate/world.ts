import type { Bus } from '../bus/port.ts';
import type { Ledger } from './ledger.ts';
import { BUILDS, CONSUMERS, compositionOf, FIRST, NODES, PROVIDER_NODE, PROVIDERS } from './mesh.ts';
import { BEGAN } from './process.ts';
import type { Timeline } from './timeline.ts';

const WORLD = 'world';
const BEAT_MS = 3_600_000;

/** A bus whose buckets can be taken away. */
export type SimulatedBus = Bus & { destroyBucket(bucket: string): Promise<void> };

/** What people, controller and indexer write: what should run where, and what each module is. */
export class World {
  #writes = 0;
  /** What a bucket held that is lost for now. */
  readonly #lost = new Map<string, ReadonlyMap<string, unknown>>();

  constructor(
    private readonly bus: SimulatedBus,
    private readonly ledger: Ledger,
    private readonly timeline: Timeline,
  ) {}

  async begin(): Promise<void> {
    for (const node of NODES) this.put('mesh-placement_machines', node, { address: `${node}.example` });
    this.put('mesh-placement_seats', 'mesh-vault', { node: PROVIDER_NODE, module: 'vault' });
    for (const module of [...CONSUMERS, ...PROVIDERS]) this.publish(module, 'b1');
    for (const [node, module] of FIRST) this.place(node, module, 'b1');
    this.#beat();
  }

  /** Node engines say now and then that what runs still runs. */
  #beat(): void {
    this.timeline.after(BEAT_MS, () => {
      for (const [key, have] of this.ledger.entries('mesh-host_haves'))
        if (!Array.isArray(have)) this.put('mesh-host_haves', key, { ...(have as object), at: this.#time() });
      this.#beat();
    });
  }

  put(bucket: string, key: string, value: unknown, isAccident = false): void {
    this.#writes += 1;
    const lost = this.#lost.get(bucket);
    if (lost !== undefined && !isAccident) this.#lost.set(bucket, new Map([...lost, [key, value]]));
    const write = { id: `${WORLD}.${this.#writes}`, epoch: 0 };
    if (value === undefined) void this.bus.delete(bucket, key, write);
    else void this.bus.put(bucket, key, JSON.stringify(value), write);
    this.ledger.apply({ at: this.timeline.now(), by: WORLD, bucket, key, epoch: 0, after: value, isAccident });
  }

  delete(bucket: string, key: string): void {
    if (this.ledger.value(bucket, key) !== undefined || this.#lost.get(bucket)?.get(key) !== undefined) this.put(bucket, key, undefined);
  }

  place(node: string, module: string, build: string): void {
    this.put('mesh-placement_modules', `${node}.${module}`, { ports: { http: 8080 } });
    this.put('mesh-controller_wants', `${node}.${module}`, { build });
  }

  want(node: string, module: string, build: string): void {
    const key = `${node}.${module}`;
    if (this.ledger.value('mesh-controller_wants', key) !== undefined) this.put('mesh-controller_wants', key, { build });
  }

  keysIn(bucket: string): readonly string[] {
    return [...this.ledger.entries(bucket).keys()].sort();
  }

  /** Writes what nobody can read over an entry, though nothing is meant by it; returns how to put it right. */
  garble(bucket: string, key: string): () => void {
    const meant = this.ledger.value(bucket, key);
    this.put(bucket, key, [bucket], true);
    return () => {
      if (Array.isArray(this.ledger.value(bucket, key))) this.put(bucket, key, meant, true);
    };
  }

  remove(node: string, module: string): void {
    this.delete('mesh-controller_wants', `${node}.${module}`);
    this.delete('mesh-placement_modules', `${node}.${module}`);
  }

  /** The indexer knows a build; its composition is published with it, or so much later. */
  publish(module: string, build: string, lateMs = 0): void {
    const builds = BUILDS.slice(0, BUILDS.indexOf(build as (typeof BUILDS)[number]) + 1);
    this.put('mesh-indexer_modules', module, { newest: build, builds, at: this.#time() });
    for (const one of builds) {
      const key = `${module}.${one}`;
      const publish = () => this.put('mesh-indexer_compositions', key, compositionOf(module, one));
      if (this.ledger.value('mesh-indexer_compositions', key) !== undefined) continue;
      if (lateMs === 0 || one !== build) publish();
      else this.timeline.after(lateMs, publish);
    }
  }

  provide(bucket: string, key: string, state: 'provided' | 'failed' | 'waits', why?: string): void {
    const { generation } = (this.ledger.value('mesh-provisioner_provisions', key) as { generation: number } | undefined) ?? {
      generation: 1,
    };
    this.put(bucket, key, { state, generation, at: this.#time(), ...(why === undefined ? {} : { why }) });
  }

  /** The stream is lost and made anew, with nothing in it, until what it held is restored. */
  lose(bucket: string): void {
    if (!this.#lost.has(bucket)) this.#lost.set(bucket, new Map(this.ledger.entries(bucket)));
    this.forget(bucket);
  }

  /** The stream is lost for good and made anew. */
  forget(bucket: string): void {
    const held = new Map(this.ledger.entries(bucket));
    void this.bus.destroyBucket(bucket).then(() => this.bus.createBucket(bucket, { history: 1 }));
    for (const key of held.keys())
      this.ledger.apply({ at: this.timeline.now(), by: WORLD, bucket, key, epoch: 0, after: undefined, isAccident: true });
  }

  /** What was lost is put back, in so many pieces a second apart. */
  restore(bucket: string, pieces: number): void {
    const lost = [...(this.#lost.get(bucket) ?? [])];
    const size = Math.ceil(lost.length / pieces);
    for (let piece = 0; piece < pieces; piece += 1)
      this.timeline.after(piece * 1_000, () => {
        for (const [key] of lost.slice(piece * size, (piece + 1) * size)) {
          const value = this.#lost.get(bucket)?.get(key);
          if (value !== undefined && this.ledger.value(bucket, key) === undefined) this.put(bucket, key, value, true);
        }
        if (piece === pieces - 1) this.#lost.delete(bucket);
      });
  }

  get lostBuckets(): readonly string[] {
    return [...this.#lost.keys()];
  }

  /** Whatever is wrong with what is written is put right. */
  heal(): void {
    for (const bucket of this.lostBuckets) this.restore(bucket, 1);
    for (const module of [...CONSUMERS, ...PROVIDERS]) this.publish(module, 'b3');
    for (const key of this.ledger.entries('mesh-indexer_compositions').keys()) {
      const [module = '', build = ''] = key.split('.');
      this.put('mesh-indexer_compositions', key, compositionOf(module, build));
    }
    for (const module of PROVIDERS) this.place(PROVIDER_NODE, module, 'b1');
  }

  #time(): string {
    return new Date(BEGAN + this.timeline.now()).toISOString();
  }
}
