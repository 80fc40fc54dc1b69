import { TEXT_BYTES_MAX } from './limits.ts';
import type { Endpoint, ServiceReply } from './port.ts';

/** An endpoint's reply, made to fit the wire: one that rejects or whose answer is too large becomes a 500, and a refusal is one line. */
export async function answering(endpoint: Endpoint, text: string, subject: string): Promise<ServiceReply> {
  const reply = await endpoint
    .handle(text, subject)
    .catch((): ServiceReply => failed(`${subject} failed; the log of what serves it says why`));
  if (!reply.ok) return { ...reply, says: reply.says.replace(/\s*[\r\n]+\s*/g, ' ') };
  const bytes = Buffer.byteLength(reply.text);
  return bytes > TEXT_BYTES_MAX
    ? failed(`the answer of ${subject} has ${bytes} bytes, ${TEXT_BYTES_MAX} are allowed: ask for less`)
    : reply;
}

function failed(says: string): ServiceReply {
  return { ok: false, code: 500, says };
}
