/** Tokens and the keys made of them, as the wire has them. */

const PLAIN = /^[A-Za-z0-9_-]+$/;
const SHAPE = /^(?:[A-Za-z0-9_-]|=[0-9A-F]{2})+$/;
/** Half of a surrogate pair: it has no encoding in UTF-8. */
export const HALF_PAIR = /\p{Surrogate}/u;

const toUtf8 = new TextEncoder();
const fromUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * One name as a key's token: every UTF-8 byte outside `A–Z a–z 0–9 _ -` becomes `=HH`.
 * Throws a `RangeError` on a name that no token can hold: an empty one, or one with half of a surrogate pair.
 */
export function encodeToken(name: string): string {
  if (PLAIN.test(name)) return name;
  if (name === '') throw new RangeError('a token is never empty');
  if (HALF_PAIR.test(name)) throw new RangeError(`${JSON.stringify(name)} has half of a surrogate pair`);
  let token = '';
  for (const byte of toUtf8.encode(name)) token += encodeByte(byte);
  return token;
}

/** The exact inverse of {@link encodeToken}; `undefined` where the token is not the encoding of its own decoding. */
export function decodeToken(token: string): string | undefined {
  if (PLAIN.test(token)) return token;
  if (!SHAPE.test(token)) return undefined;
  const bytes: number[] = [];
  for (let at = 0; at < token.length; at += 1) {
    if (token[at] === '=') {
      bytes.push(Number.parseInt(token.slice(at + 1, at + 3), 16));
      at += 2;
    } else bytes.push(token.charCodeAt(at));
  }
  try {
    const name = fromUtf8.decode(Uint8Array.from(bytes));
    return encodeToken(name) === token ? name : undefined;
  } catch {
    return undefined;
  }
}

/** Names joined to a key, each one encoded. */
export function keyOf(...names: string[]): string {
  return names.map(encodeToken).join('.');
}

/** The names of a key; `undefined` where one of its tokens is out of shape. */
export function namesOf(key: string): string[] | undefined {
  const names: string[] = [];
  for (const token of key.split('.')) {
    const name = decodeToken(token);
    if (name === undefined) return undefined;
    names.push(name);
  }
  return names;
}

/** The bucket in which a provider's module says its outcomes. */
export function boundBucket(module: string): string {
  return `${module}_bound`;
}

function encodeByte(byte: number): string {
  const char = String.fromCharCode(byte);
  return PLAIN.test(char) ? char : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
