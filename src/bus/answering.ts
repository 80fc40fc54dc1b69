import { TEXT_BYTES_MAX } from './limits.ts';
import type { Endpoint, ServiceReply } from './port.ts';

/** A refusal travels in a header, and a header with what it quotes of a request may not fill a message. */
const SAYS_MAX = 4_096;

/**
 * An endpoint's reply, made to fit the wire: one that throws, rejects or whose answer is too large becomes a 500, and a refusal is one
 * line. Never rejects.
 */
export async function answering(endpoint: Endpoint, text: string, subject: string): Promise<ServiceReply> {
  const reply = await handled(endpoint, text, subject);
  if (!reply.ok) return { ...reply, says: oneLine(reply.says) };
  const bytes = Buffer.byteLength(reply.text);
  return bytes > TEXT_BYTES_MAX
    ? failed(`the answer of ${subject} has ${bytes} bytes, ${TEXT_BYTES_MAX} are allowed: ask for less`)
    : reply;
}

async function handled(endpoint: Endpoint, text: string, subject: string): Promise<ServiceReply> {
  try {
    return await endpoint.handle(text, subject);
  } catch {
    return failed(`${subject} failed; the log of what serves it says why`);
  }
}

function oneLine(says: string): string {
  const line = says.replace(/\s*[\r\n]+\s*/g, ' ');
  return line.length > SAYS_MAX ? `${line.slice(0, SAYS_MAX - 1)}…` : line;
}

function failed(says: string): ServiceReply {
  return { ok: false, code: 500, says };
}
