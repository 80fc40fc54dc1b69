import { BusError, type WriteResult } from './port.ts';

/** A NATS server's default `max_payload` is 1 MiB, headers included; 4 KiB of it are left to them. */
export const TEXT_BYTES_MAX = 1_048_576 - 4_096;
const KEY_BYTES_MAX = 1_024;
const KEY = /^[-/=\w]+(?:\.[-/=\w]+)*$/;

/** Why neither adapter takes this write, so that what the one stores the other stores too; `undefined` where nothing is against it. */
export function refusal(key: string, text: string): WriteResult | undefined {
  if (!KEY.test(key)) return refused(`"${key}" is no key: expected tokens of A-Z a-z 0-9 _ - / = joined by single dots`);
  if (key.length > KEY_BYTES_MAX) return refused(`the key has ${key.length} bytes, ${KEY_BYTES_MAX} are allowed`);
  const bytes = Buffer.byteLength(text);
  return bytes > TEXT_BYTES_MAX ? refused(`${key} would have ${bytes} bytes, ${TEXT_BYTES_MAX} are allowed`) : undefined;
}

export function refused(says: string): WriteResult {
  return { done: false, because: 'refused', says };
}

/** Throws {@link BusError} `too-large` where a request does not fit one message. */
export function assertFits(subject: string, text: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes > TEXT_BYTES_MAX)
    throw new BusError('too-large', `the request to ${subject} has ${bytes} bytes, ${TEXT_BYTES_MAX} are allowed`);
}
