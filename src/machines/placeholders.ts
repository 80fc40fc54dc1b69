import type { PlaceholderKind } from '../bus/contracts/registry.ts';
import { registry } from './registry.ts';

/** `${<kind>:<name>}` as it stands in a text. */
export interface Placeholder {
  readonly written: string;
  readonly kind: PlaceholderKind;
  readonly name: string;
}

/** What is wrong with a placeholder that has no kind of the registry, or no name, or no end. */
export interface Malformed {
  readonly written: string;
  readonly kind: 'malformed';
}

const MARK = /(\$\$\{)|\$\{[^}]*\}?/g;
const NAMED = /^\$\{([a-z]+):([^}\p{Surrogate}]+)\}$/u;

/** The parts of a text, in order: literal strings, in which `$${` is `${`, and placeholders. */
export function partsOf(text: string): readonly (string | Placeholder | Malformed)[] {
  const parts: (string | Placeholder | Malformed)[] = [];
  let from = 0;
  for (const mark of text.matchAll(MARK)) {
    if (mark.index > from) parts.push(text.slice(from, mark.index));
    parts.push(mark[1] === undefined ? placeholder(mark[0]) : '${');
    from = mark.index + mark[0].length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

/** Every placeholder of a value, however deep. */
export function placeholdersOf(value: unknown): readonly (Placeholder | Malformed)[] {
  if (typeof value === 'string') return partsOf(value).filter((part) => typeof part !== 'string');
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(placeholdersOf) : [];
}

/**
 * A value with every placeholder replaced by what `find` gives for it; one that it gives nothing for stays as written and is named.
 * A text that is one placeholder alone keeps the found value's type.
 */
export function fill(value: unknown, find: (placeholder: Placeholder) => unknown): { value: unknown; unfilled: readonly string[] } {
  const unfilled = new Set<string>();
  const found = (part: Placeholder | Malformed): unknown => {
    const value = part.kind === 'malformed' ? undefined : find(part);
    if (value !== undefined) return value;
    unfilled.add(part.written);
    return part.written;
  };
  return { value: filled(value, found), unfilled: [...unfilled].sort() };
}

function filled(value: unknown, found: (part: Placeholder | Malformed) => unknown): unknown {
  if (typeof value === 'string') {
    if (!value.includes('${')) return value;
    const parts = partsOf(value).map((part) => (typeof part === 'string' ? part : found(part)));
    return parts.length === 1 ? parts[0] : parts.map(String).join('');
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, found));
  if (typeof value === 'object' && value !== null) {
    const record = value as Readonly<Record<string, unknown>>;
    const names = Object.keys(record).sort();
    return Object.fromEntries(names.map((name) => [name, filled(record[name], found)]));
  }
  return value;
}

function placeholder(written: string): Placeholder | Malformed {
  const [, kind, name] = NAMED.exec(written) ?? [];
  return kind !== undefined && name !== undefined && Object.hasOwn(registry, kind)
    ? { written, kind: kind as PlaceholderKind, name }
    : { written, kind: 'malformed' };
}
