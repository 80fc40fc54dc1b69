import { createHash } from 'node:crypto';
import { systemClock } from '../../src/bus/clock.ts';
import { Journal } from '../../src/bus/journal.ts';
import type { Bus } from '../../src/bus/port.ts';
import type { Kernel } from '../../src/kernel/kernel.ts';
import { takePieces } from '../../src/kernel/snapshot.ts';
import { SnapshotWriter } from '../../src/seat/snapshot-writer.ts';
import { type Standing, standUp } from '../../src/seat/stand-up.ts';
import type { DrivenKernel } from '../kernel/driven-kernel.ts';
import { standing } from '../kernel/stories-mesh.ts';

/** A mesh whose seat's every step also goes into the journal of a bus. */
export class Journalled {
  readonly lines: string[] = [];

  private constructor(
    readonly bus: Bus,
    readonly mesh: DrivenKernel,
    readonly journal: Journal,
  ) {}

  static async on(bus: Bus, mesh = standing()): Promise<Journalled> {
    await bus.createBucket('mesh-provisioner_snapshots', { history: 5 });
    const journalled = new Journalled(bus, mesh, await Journal.open(bus, systemClock));
    await journalled.append();
    return journalled;
  }

  /** Lets something happen, and appends what the seat made of it. */
  async after(happened: (mesh: DrivenKernel) => void): Promise<void> {
    happened(this.mesh);
    await this.append();
  }

  async append(): Promise<void> {
    for (const record of this.mesh.records.slice(this.journal.head)) {
      const done = await this.journal.append(JSON.stringify(record), { id: `r${this.journal.head + 1}`, epoch: 1 });
      if (!done.done) throw new Error(done.says);
    }
  }

  writer(over: Bus = this.bus, epoch?: number): SnapshotWriter {
    this.#epoch = epoch ?? this.#epoch + 1;
    return this.#writerOf(over, this.mesh.kernel, this.journal);
  }

  #epoch = 1;

  /** A new holder's state, its writer, and the journal it goes on with. */
  async next(settings = this.mesh.kernel.settings): Promise<Standing & { readonly journal: Journal; readonly writer: SnapshotWriter }> {
    this.#epoch += 1;
    const journal = await Journal.open(this.bus, systemClock);
    const found = await standUp({ bus: this.bus, settings, say: (line) => this.lines.push(line) }, journal);
    return { ...found, journal, writer: this.#writerOf(this.bus, found.kernel, journal, found) };
  }

  #writerOf(bus: Bus, kernel: Kernel, journal: Journal, from?: Standing): SnapshotWriter {
    const parts = { bus, kernel, epoch: this.#epoch, journal: journal.created, record: () => journal.lastId, mayAct: () => true };
    return new SnapshotWriter(parts, from?.snapshot);
  }
}

/** A bus whose writes go through another's hands: a text to write instead, or `undefined` where there is no room. */
export function writing(bus: Bus, instead: (key: string, text: string) => string | undefined): Bus {
  return new Proxy(bus, {
    get(target, name) {
      if (name === 'put') {
        const full = { done: false, because: 'refused', says: 'no room' } as const;
        return async (...[bucket, key, text, write]: Parameters<Bus['put']>) => {
          const put = instead(key, text);
          return put === undefined ? full : target.put(bucket, key, put, write);
        };
      }
      const found = target[name as keyof Bus];
      return typeof found === 'function' ? found.bind(target) : found;
    },
  });
}

/** The kernel's whole state, as a short text of its own. */
export function stateOf(kernel: Kernel): string {
  const { changed } = kernel.memory;
  const before = [...changed];
  for (const name of everyPiece(kernel)) changed.add(name);
  const { supervisor, others } = takePieces(kernel);
  for (const name of before) changed.add(name);
  const pieces = [...others].filter(([, piece]) => piece !== undefined);
  return createHash('sha256')
    .update(JSON.stringify([supervisor, ...pieces]))
    .digest('hex');
}

export function everyPiece({ picture, roots }: Kernel): Set<string> {
  const names = new Set(roots.names());
  for (const bucket of picture.buckets()) {
    for (const key of picture.entries(bucket).keys()) {
      const [first] = key.split('.');
      for (const kind of ['node', 'module', 'asks']) names.add(`${kind}.${first}`);
    }
  }
  return names;
}
