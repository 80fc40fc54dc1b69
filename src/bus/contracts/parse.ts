import type { z } from 'zod';
import type { Outcome } from './bound.ts';
import { type Bucket, type buckets, contractOf, type KeyShape } from './buckets.ts';
import { namesOf } from './tokens.ts';

/** An entry larger than this does not fit one record of the journal (P6). */
export const ENTRY_BYTES_MAX = 768 * 1024;

export type ValueOf<B extends string> = B extends Bucket
  ? z.output<(typeof buckets)[B]['schema']>
  : B extends `${string}_bound`
    ? Outcome
    : unknown;

/** `field` is the path of the first field that does not fit, such as `needs[0].provision`, and empty where it is the whole value. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly field: string; readonly says: string };

export type Entry<T> =
  | { readonly ok: true; readonly names: string[]; readonly value: T }
  | { readonly ok: false; readonly because: 'out-of-shape'; readonly says: string }
  | { readonly ok: false; readonly because: 'unreadable'; readonly names: string[]; readonly field: string; readonly says: string };

/** One entry as its bucket's contract has it, with the names of its key: what does not fit is a value that says why (P6). */
export function readEntry<B extends string>(bucket: B, key: string, text: string): Entry<ValueOf<B>> {
  const { schema, keys } = contractOf(bucket);
  const names = namesOf(key);
  if (names === undefined || names.length < keys.tokens[0] || names.length > keys.tokens[1]) {
    return { ok: false, because: 'out-of-shape', says: misshapen(key, keys) };
  }
  const parsed = parseText(schema, text);
  return parsed.ok
    ? { ok: true, names, value: parsed.value as ValueOf<B> }
    : { ok: false, because: 'unreadable', names, field: parsed.field, says: parsed.says };
}

/** A text as one schema has it; fields that the schema does not know are left out. */
export function parseText<T>(schema: z.ZodType<T>, text: string): Parsed<T> {
  const bytes = bytesOf(text);
  if (bytes > ENTRY_BYTES_MAX) return { ok: false, field: '', says: `expected at most ${ENTRY_BYTES_MAX} bytes, found ${bytes}` };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { ok: false, field: '', says: `expected JSON: ${(error as Error).message}` };
  }
  const result = schema.safeParse(json);
  if (result.success) return { ok: true, value: result.data };
  // Only now with words: zod's fast path takes no error map.
  const issue = schema.safeParse(json, { error: expectation }).error?.issues[0];
  return { ok: false, field: pathOf(issue?.path ?? []), says: issue?.message ?? 'expected another value' };
}

function misshapen(key: string, keys: KeyShape): string {
  const tokens = key.split('.');
  const wrong = tokens.find((token) => namesOf(token) === undefined);
  const found =
    wrong === undefined
      ? `found ${tokens.length} ${tokens.length === 1 ? 'token' : 'tokens'}`
      : `${JSON.stringify(wrong)} is not how a name is written`;
  return `expected ${keys.says}, ${found}`;
}

/** The text's bytes in UTF-8; of a text that is small enough whatever it holds, only its length. */
function bytesOf(text: string): number {
  return text.length * 3 <= ENTRY_BYTES_MAX ? text.length : new TextEncoder().encode(text).length;
}

function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((before, part) => {
    if (typeof part === 'number') return `${before}[${part}]`;
    return before === '' ? String(part) : `${before}.${String(part)}`;
  }, '');
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** What was expected, in words; the schemas' own words go before it. */
function expectation(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${KINDS[issue.expected] ?? issue.expected}, found ${shown(issue.input)}`;
    case 'invalid_value':
      return `expected ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}, found ${shown(issue.input)}`;
    case 'too_small':
      return `expected at least ${issue.minimum}, found ${shown(issue.input)}`;
    case 'invalid_union':
      return `expected one of its forms, found ${shown(issue.input)}`;
    default:
      return undefined;
  }
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
