import { setImmediate } from 'node:timers/promises';
import type { Journal } from '../bus/journal.ts';
import type { Bus } from '../bus/port.ts';
import { Kernel, type KernelSettings } from '../kernel/kernel.ts';
import { recordIn } from './journal-record.ts';
import { readSnapshot, type SetAside, type Snapshot, supervisorEntries } from './snapshot-reader.ts';

/** Other work, the lease's above all, gets its turn after so many records. */
const RECORDS_AT_ONCE = 256;

/** The state that a new holder starts from. */
export interface Standing {
  readonly kernel: Kernel;
  /** The time of the last record, and the highest epoch in the journal. */
  readonly at: number;
  readonly epoch: number;
  /** The snapshot that it came from. */
  readonly snapshot: Snapshot | undefined;
  /** The journal alone would not make this state: it needs a snapshot before anything is appended. */
  readonly isRebased: boolean;
}

/**
 * Snapshot, then the rest of the journal (E2). What cannot be used is set aside and said; without a usable snapshot the whole journal is
 * folded, and where its beginning is gone too, what stands is taken up from the live buckets later on (S61). Throws `BusError`.
 */
export async function standUp(
  parts: { readonly bus: Bus; readonly settings: KernelSettings; readonly say: (line: string) => void },
  journal: Journal,
): Promise<Standing> {
  const { bus, settings, say } = parts;
  const { firstSequence, lastSequence } = await journal.state();
  for (const entry of await supervisorEntries(bus)) {
    const read = await readSnapshot(bus, entry, settings);
    const used = 'aside' in read ? read : await useOf(journal, read, firstSequence, lastSequence);
    if ('aside' in used) {
      say(`the snapshot at revision ${entry.revision} is set aside: ${used.aside}`);
      continue;
    }
    if (used.rebased !== undefined) say(`the snapshot at revision ${entry.revision} is gone on from: ${used.rebased}`);
    const { kernel } = used.snapshot;
    journal.standAt(used.at, used.rebased === undefined ? used.snapshot.record : undefined);
    kernel.resume({ ...kernel.position, sequence: used.at });
    return { ...(await fold(journal, kernel, say)), snapshot: used.snapshot, isRebased: used.rebased !== undefined };
  }
  const kernel = new Kernel(settings);
  if (firstSequence === 1) return { ...(await fold(journal, kernel, say)), snapshot: undefined, isRebased: false };
  say(`the journal begins at record ${firstSequence} and no snapshot can be used: what stands is taken up from the live buckets`);
  journal.standAt(lastSequence);
  kernel.resume({ ...kernel.position, sequence: lastSequence });
  return { kernel, at: 0, epoch: 0, snapshot: undefined, isRebased: true };
}

interface Used {
  readonly snapshot: Snapshot;
  /** The journal goes on behind this record. */
  readonly at: number;
  /** Why this journal alone would not come here. */
  readonly rebased?: string;
}

async function useOf(journal: Journal, snapshot: Snapshot, first: number, last: number): Promise<Used | SetAside> {
  const { seq, record } = snapshot;
  if (snapshot.journal !== journal.created) {
    return last === 0
      ? { snapshot, at: 0, rebased: `the journal it is of is lost, and the records behind ${seq} with it` }
      : { aside: 'it is of another journal' };
  }
  if (last < seq) return { snapshot, at: last, rebased: `the journal went back from record ${seq} to ${last}` };
  if (seq + 1 < first) return { aside: `it needs the journal from record ${seq + 1} on, which begins at ${first}` };
  const found = seq === 0 || seq < first ? undefined : await journal.recordFrom(seq);
  if (found !== undefined && record !== undefined && found.id !== record)
    return { aside: `the journal's record ${seq} is not the one it was made at` };
  return { snapshot, at: seq };
}

/** Folds what the journal holds behind its head; nothing of it is sent again. */
async function fold(journal: Journal, kernel: Kernel, say: (line: string) => void): Promise<Pick<Standing, 'kernel' | 'at' | 'epoch'>> {
  let { at } = kernel.position;
  let { epoch } = kernel.position.seat;
  let folded = 0;
  for await (const { sequence, text } of journal.unread()) {
    folded += 1;
    const record = recordIn(text);
    if (record === undefined) say(`record ${sequence} of the journal cannot be read: it counts as empty`);
    else {
      kernel.step(sequence, record);
      at = record.at;
      epoch = Math.max(epoch, record.epoch);
    }
    if (folded % RECORDS_AT_ONCE === 0) await setImmediate();
  }
  return { kernel, at, epoch };
}
