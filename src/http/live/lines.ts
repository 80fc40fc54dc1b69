import { namesOf } from '../../bus/contracts/tokens.ts';
import type { Move } from '../../kernel/moves.ts';
import type { OwedEffect } from '../../machines/effects.ts';
import type { EntryFact, Fact } from '../../machines/facts.ts';
import type { Turned } from '../../seat/turn.ts';
import type { Frame, Line } from './frames.ts';

type Unnumbered = Omit<Line, 'n'>;

/** A turn of a cold start can have a hundred thousand lines: the log shows so many of one. */
const LINES_MAX = 2_000;
const LINES_A_FRAME = 250;
const SAYS_MAX = 300;

/** One turn as the log shows it: the same on every holder, for it is made of what the journal makes. */
export function framesOf({ sequence, at, facts, effects, moves }: Omit<Turned, 'done'>): Frame[] {
  const lines: Line[] = [];
  const add = (line: Unnumbered) => {
    const says = line.says.length > SAYS_MAX ? `${line.says.slice(0, SAYS_MAX)}…` : line.says;
    lines.push({ n: lines.length, ...line, says });
  };
  const total = facts.length + moves.length + effects.length;
  for (const fact of facts.slice(0, LINES_MAX)) add(lineOfFact(fact));
  for (const move of moves.slice(0, LINES_MAX - lines.length)) add(lineOfMove(move));
  for (const effect of effects.slice(0, LINES_MAX - lines.length)) add(lineOfEffect(effect));
  const frames: Frame[] = [];
  for (let from = 0; from < lines.length; from += LINES_A_FRAME) {
    frames.push({ seq: sequence, at, lines: lines.slice(from, from + LINES_A_FRAME) });
  }
  const last = frames.at(-1);
  if (last !== undefined && total > lines.length) frames[frames.length - 1] = { ...last, leftOut: total - lines.length };
  return frames;
}

function lineOfFact(fact: Fact): Unnumbered {
  const line = (says: string, about: Partial<Unnumbered> = {}): Unnumbered => ({ kind: 'fact', what: fact.type, says, ...about });
  switch (fact.type) {
    case 'entry':
      return line(sayEntry(fact), ofKey(fact.key));
    case 'out-of-shape':
      return line(`${fact.bucket} ${fact.key} is out of shape: ${fact.says}`, { key: fact.key });
    case 'loaded':
      return line(`${fact.read} is loaded: ${fact.streams.map(({ bucket, entries }) => `${entries} of ${bucket}`).join(', ')}`);
    case 'missing':
      return line(`${fact.read} is missing: ${fact.why}`);
    case 'due':
      return line(`${fact.owner} asked to be woken now`, ofRoot(fact.owner));
    case 'done':
      return line(`${fact.effect} is acknowledged${fact.revision === undefined ? '' : ` at revision ${fact.revision}`}`);
    case 'refused':
      return { kind: 'refusal', what: 'refused', says: `${fact.effect} is refused: ${fact.says} (${fact.code})` };
    case 'withheld':
      return { kind: 'refusal', what: 'withheld', says: `${fact.effect} did not leave: ${fact.says}` };
    case 'proved':
      return line(`read again for ${fact.effect}: ${fact.entries.map(sayEntry).join('; ') || 'nothing is there'}`);
    case 'word':
      return line(sayWord(fact), ofWord(fact.request));
    case 'seat-taken':
      return line(`${fact.instance} holds the seat, epoch ${fact.epoch}`);
    case 'slept':
      return line(`the seat was asleep for ${Math.round(fact.forMs / 1000)} s`);
  }
}

function lineOfMove({ actor, event, taken, to }: Move): Unnumbered {
  const [root = '', child] = actor.split(/\/(.*)/s);
  return {
    kind: 'move',
    what: event,
    says: `${child ?? root}: ${event} → ${to}`,
    ...ofRoot(root),
    ...(child === undefined ? {} : ofKey(child)),
    actor,
    taken,
    to,
  };
}

function lineOfEffect({ id, effect }: OwedEffect): Unnumbered {
  const line = (says: string, key: string): Unnumbered => ({ kind: 'effect', what: effect.kind, says: `${id} ${says}`, ...ofKey(key) });
  switch (effect.kind) {
    case 'put':
      return line(`writes ${effect.bucket} ${effect.key}${sayState(effect.value)}`, effect.key);
    case 'delete':
      return line(`deletes ${effect.bucket} ${effect.key}`, effect.key);
    case 'raise':
      return line(`asks ${effect.ask}: ${effect.question}`, effect.subject);
    case 'end':
      return line(`ends ${effect.ask}: ${effect.why}`, effect.ask);
    case 'prove':
      return line(`reads again what ${effect.key} rests on`, effect.key);
  }
}

function sayEntry({ bucket, key, revision, value, unreadable }: EntryFact): string {
  if (unreadable !== undefined) return `${bucket} ${key} at revision ${revision} cannot be read: ${unreadable.field}: ${unreadable.says}`;
  return value === undefined
    ? `${bucket} ${key} is deleted, at revision ${revision}`
    : `${bucket} ${key} is at revision ${revision}${sayState(value)}`;
}

/** What a value says of itself in one word, where it has one. */
function sayState(value: unknown): string {
  const { state, detail, build, says } = (value ?? {}) as { state?: unknown; detail?: unknown; build?: unknown; says?: unknown };
  const words = [state, detail, build, says].filter((word) => typeof word === 'string');
  return words.length === 0 ? '' : `: ${words.join(', ')}`;
}

function sayWord({ verb, request }: Extract<Fact, { type: 'word' }>): string {
  const { by, why, id, key, node, read, answer } = (request ?? {}) as Record<string, unknown>;
  const about = [answer, id, key, node, read].filter((word) => typeof word === 'string').join(' ');
  const said = [typeof by === 'string' ? ` by ${by}` : '', typeof why === 'string' && why !== '' ? `: ${why}` : ''].join('');
  return `${verb}${about === '' ? '' : ` ${about}`}${said}`;
}

function ofWord(request: unknown): Partial<Unnumbered> {
  const { key, node } = (request ?? {}) as { key?: unknown; node?: unknown };
  if (typeof key === 'string') return ofKey(key);
  return typeof node === 'string' ? { node } : {};
}

function ofKey(key: string): Partial<Unnumbered> {
  const [node] = key.includes('.') ? (namesOf(key) ?? []) : [];
  return node === undefined ? { key } : { node, key };
}

function ofRoot(root: string): Partial<Unnumbered> {
  return root.startsWith('node.') ? { node: root.slice('node.'.length) } : {};
}
