import { headers, type JsMsg, type MsgHdrs, type StoredMsg } from 'nats';
import type { BusEntry, StreamRecord } from '../port.ts';

export interface Marks {
  readonly id: string;
  readonly epoch: number;
}

/** The headers of a write of the seat, and more of them. */
export function headersOf({ id, epoch }: Marks, more: Readonly<Record<string, string | number>>): MsgHdrs {
  const made = headers();
  made.set('Nats-Msg-Id', id);
  made.set('Seat-Epoch', String(epoch));
  for (const [name, value] of Object.entries(more)) made.set(name, String(value));
  return made;
}

export function entryOf(key: string, message: StoredMsg | JsMsg): BusEntry {
  const from = 'header' in message ? message.header : message.headers;
  const isMarker = from?.get('KV-Operation') === 'DEL' || from?.get('KV-Operation') === 'PURGE';
  return { key, revision: message.seq, text: isMarker ? undefined : message.string(), ...marksOf(from) };
}

/** A stream's record, and whether the stream held none behind it when it was sent. */
export function recordOf(message: JsMsg): StreamRecord & { readonly isLast: boolean } {
  return { sequence: message.seq, text: message.string(), ...marksOf(message.headers), isLast: message.info.pending === 0 };
}

/** What a message says of the seat's write it came from; nothing of another program's. */
function marksOf(from: MsgHdrs | undefined): Partial<Marks> {
  const id = from?.get('Nats-Msg-Id');
  const epoch = from?.get('Seat-Epoch');
  return { ...(id && { id }), ...(epoch && { epoch: Number(epoch) }) };
}
