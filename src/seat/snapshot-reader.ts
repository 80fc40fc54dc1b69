import { SupervisorSnapshot } from '../bus/contracts/snapshots.ts';
import { type Bus, type BusEntry, BusError } from '../bus/port.ts';
import { Kernel, type KernelSettings } from '../kernel/kernel.ts';
import { type Piece, SNAPSHOT_VERSION, type SupervisorPiece } from '../kernel/piece.ts';
import { resumed } from '../kernel/snapshot.ts';
import { Slots } from './slots.ts';
import { unpacked } from './snapshot-text.ts';

export const SNAPSHOTS = 'mesh-provisioner_snapshots';
export const SUPERVISOR_KEY = 'supervisor';
const READ_AT_ONCE = 64;

/** A snapshot that stands: which journal it is of, and the kernel it makes. */
export interface Snapshot {
  readonly kernel: Kernel;
  readonly seq: number;
  /** The stream that it was made of, and its record at `seq`. */
  readonly journal: string;
  readonly record: string | undefined;
  readonly revision: number;
  /** The ones before it that the bucket still keeps whole, newest first. */
  readonly earlier: readonly Earlier[];
  /** Every piece that it names, with its revision and its text as JSON. */
  readonly pieces: ReadonlyMap<string, { readonly revision: number; readonly json: string }>;
}

export interface Earlier {
  readonly seq: number;
  readonly revision: number;
}

/** Why a snapshot is set aside. */
export interface SetAside {
  readonly aside: string;
}

/** The supervisor's entry as it is written, beside what the kernel keeps in it. */
export interface WrittenSupervisor extends SupervisorPiece {
  readonly version: number;
  readonly journal: string;
  readonly record?: string;
  readonly earlier: readonly Earlier[];
  readonly pieces: Readonly<Record<string, number>>;
}

/** The supervisor's entries that the bucket keeps, newest first: each names the pieces of one snapshot (E2). Throws {@link BusError}. */
export async function supervisorEntries(bus: Bus): Promise<readonly BusEntry[]> {
  const newest = await bus.get(SNAPSHOTS, SUPERVISOR_KEY);
  if (newest === undefined) return [];
  const kept: BusEntry[] = [];
  const watch = await bus.watch(SNAPSHOTS, { afterRevision: 0 });
  for await (const entry of watch) {
    if (entry.key === SUPERVISOR_KEY && entry.text !== undefined) kept.unshift(entry);
    if (entry.revision >= newest.revision) break;
  }
  return kept;
}

/** The snapshot that a supervisor's entry names, or why it cannot be used. Throws {@link BusError} where it cannot be read just now. */
export async function readSnapshot(bus: Bus, entry: BusEntry, settings: KernelSettings): Promise<Snapshot | SetAside> {
  try {
    const supervisor = JSON.parse(unpacked(entry.text ?? '')) as WrittenSupervisor;
    const shape = SupervisorSnapshot.safeParse(supervisor);
    if (!shape.success) return { aside: `${shape.error.issues[0]?.path.join('.')} does not fit` };
    const { version, seq, journal, record, earlier, pieces: named } = supervisor;
    if (version !== SNAPSHOT_VERSION) return { aside: `it is of version ${version}, this seat writes version ${SNAPSHOT_VERSION}` };
    const pieces = await readPieces(bus, named);
    const others = new Map([...pieces].map(([key, { json }]) => [key, JSON.parse(json) as Piece]));
    const kernel = resumed(settings, supervisor, others);
    if (!(kernel instanceof Kernel)) return { aside: kernel.misfit };
    return { kernel, seq, journal, record, revision: entry.revision, earlier, pieces };
  } catch (error) {
    if (error instanceof BusError) throw error;
    // Whatever a torn or foreign text makes of itself: it is one more snapshot that cannot be used.
    return { aside: `it cannot be read: ${(error as Error).message}` };
  }
}

async function readPieces(bus: Bus, named: WrittenSupervisor['pieces']): Promise<Snapshot['pieces']> {
  const slots = new Slots(READ_AT_ONCE);
  const read = Object.entries(named).map(([key, revision]) =>
    slots.during(async () => {
      const text = (await bus.getAt(SNAPSHOTS, key, revision))?.text;
      if (text === undefined) throw new Error(`piece ${key} is no longer there at revision ${revision}`);
      return [key, { revision, json: unpacked(text) }] as const;
    }),
  );
  return new Map(await Promise.all(read));
}
