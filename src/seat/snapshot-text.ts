import { deflateSync, inflateSync } from 'node:zlib';
import { Deflated } from '../bus/contracts/snapshots.ts';

/** JSON that is longer is deflated. */
const PLAIN_CHARS_MAX = 16 * 1024;

/** A piece's JSON as its entry holds it. */
export function packed(json: string): string {
  if (json.length <= PLAIN_CHARS_MAX) return json;
  const entry: Deflated = { deflate: deflateSync(json).toString('base64') };
  return JSON.stringify(entry);
}

/** The JSON that an entry holds, as text; throws where it is none, or cannot be inflated. */
export function unpacked(text: string): string {
  if (!text.startsWith('{"deflate":')) return text;
  return inflateSync(Buffer.from(Deflated.parse(JSON.parse(text)).deflate, 'base64')).toString('utf8');
}
