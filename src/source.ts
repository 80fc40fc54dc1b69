import { type Document, isMap, isNode, isScalar, LineCounter, type Node, parseDocument, visit } from 'yaml';
import { z } from 'zod';
import { nearest } from './nearest.ts';

/** What is wrong in a file that a person wrote, and where. */
export interface Mistake {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly says: string;
}

type Path = readonly PropertyKey[];

/** A file read by its schema, with where each part of it stands. */
export interface Source<T> {
  readonly value: T;
  /** A mistake at a path that only the reader of several files can see. */
  mistake(path: Path, says: string): Mistake;
}

/** Reads YAML, or JSON as its subset. Every mistake of the file is listed, each with what was found and what was expected. */
export function readSource<T>(file: string, text: string, schema: z.ZodType<T>): Source<T> | Mistake[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number, says: string): Mistake => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1), says };
  };
  const broken = document.errors.map((error) => at(error.pos[0], error.message));
  if (broken.length > 0) return broken;
  const unquoted = bareNumbers(document).map((key) => at(startOf(key), `found the number ${key.value} as a name, expected it in quotes`));
  if (unquoted.length > 0) return unquoted;

  const parsed = schema.safeParse(document.toJS() ?? {});
  if (!parsed.success) return parsed.error.issues.flatMap((issue) => said(document, issue).map(([offset, says]) => at(offset, says)));
  return { value: parsed.data, mistake: (path, says) => at(positionOf(document, path), `${dotted(path)}${says}`) };
}

/** An object that knows all its fields: a field it does not know is a mistake that lists them. */
export function known<S extends z.ZodRawShape>(shape: S) {
  const names = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined;
      const near = issue.keys.map((key) => nearest(key, names)).filter((name) => name !== undefined);
      return `expected ${names.join(', ')}${near.length > 0 ? `; did you mean ${near.join(', ')}?` : ''}`;
    },
  });
}

/** One line a mistake, as editors and terminals make links of it. */
export function mistakeLine(mistake: Mistake): string {
  return `${mistake.file}:${mistake.line}:${mistake.column}: ${mistake.says}`;
}

function said(document: Document, issue: z.core.$ZodIssue): [offset: number, says: string][] {
  const expected = issue.message.replace(/^Invalid (input|option): /, '').replace(/, received .*$/, '');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => [
      keyPosition(document, issue.path, key),
      `${dotted(issue.path)}found ${JSON.stringify(key)}, ${expected}`,
    ]);
  }
  const found = document.getIn(issue.path);
  const text = found === undefined ? 'nothing' : isNode(found) ? describe(found) : JSON.stringify(found);
  return [[positionOf(document, issue.path), `${dotted(issue.path)}found ${text}, ${expected}`]];
}

function bareNumbers(document: Document) {
  const keys: (Node & { value: unknown })[] = [];
  visit(document, {
    Pair(_, pair) {
      if (isScalar(pair.key) && typeof pair.key.value !== 'string') keys.push(pair.key);
    },
  });
  return keys;
}

function positionOf(document: Document, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node)) return startOf(node);
  }
  return isNode(document.contents) ? startOf(document.contents) : 0;
}

function keyPosition(document: Document, path: Path, key: string): number {
  const map = path.length === 0 ? document.contents : document.getIn(path, true);
  const pair = isMap(map) ? map.items.find((item) => isScalar(item.key) && item.key.value === key) : undefined;
  return pair !== undefined && isNode(pair.key) ? startOf(pair.key) : positionOf(document, path);
}

function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

function describe(node: Node): string {
  return isMap(node) ? 'a mapping' : 'a list';
}

function dotted(path: Path): string {
  return path.length === 0 ? '' : `${path.map(String).join('.')}: `;
}
