import type { AskRecord } from '../bus/contracts/asks.ts';
import type { Provision } from '../bus/contracts/provisions.ts';
import { namesOf } from '../bus/contracts/tokens.ts';
import type { EntryFact, LoadedStream } from '../machines/facts.ts';
import type { RecordSeen } from '../machines/supervisor-events.ts';
import type { Telling } from './telling.ts';

const PROVISIONS = 'mesh-provisioner_provisions';
const ASKS = 'mesh-router_asks';
/** As which the seat asks. */
export const ASKER = 'mesh-provisioner';

/** Tells of an entry that is in the picture: whether it can be read, how a record of the router stands, and a key that is to be adopted (S61). */
export function entrySeen(telling: Telling, fact: EntryFact): void {
  const { at, kernel } = telling;
  const { bucket, key, revision, value, unreadable } = fact;
  const entries = kernel.picture.entries(bucket).size;
  telling.tell({ type: 'entry seen', at, bucket, key, revision, ...(unreadable === undefined ? {} : { unreadable }), entries });
  if (bucket === ASKS && unreadable === undefined) recordSeen(telling, key, value as AskRecord | undefined);
  if (bucket !== PROVISIONS || value === undefined) return;
  const [node, module] = namesOf(key) ?? [];
  if (node === undefined || module === undefined || kernel.node(node)?.keys[key] !== undefined) return;
  kernel.memory.shown.set(key, value as Provision);
  telling.tellNode(node, { type: 'adopt', at, key, module, entry: value as Provision });
}

/** Loads are compared by what the picture holds of them: a key out of its bucket's shape is in no count. */
export function counted({ kernel }: Telling, streams: readonly LoadedStream[]): readonly LoadedStream[] {
  return streams.map((stream) => ({ ...stream, entries: kernel.picture.entries(stream.bucket).size }));
}

/** The router's own record counts but where a newer one is still owed. */
function recordSeen({ at, kernel, owed, tell }: Telling, id: string, record: AskRecord | undefined): void {
  const { records } = kernel.memory;
  const isOwed = owed.isOwedAt(ASKS, id);
  if (!isOwed && record !== undefined) records.set(id, record);
  if (!isOwed && record === undefined) records.delete(id);
  if (record === undefined) tell({ type: 'record seen', at, id });
  else if (record.asker === ASKER) tell({ type: 'record seen', at, id, record: asSeen(record) });
}

function asSeen({ state, subject, answer, by, answeredAt }: AskRecord): RecordSeen {
  return {
    state,
    subject,
    ...(answer === undefined ? {} : { answer, by: by ?? 'somebody' }),
    ...(answeredAt === undefined ? {} : { answeredAt: Date.parse(answeredAt) }),
  };
}
