import type { AskRecord } from '../bus/contracts/asks.ts';
import type { RequestOf } from '../bus/contracts/verbs.ts';

/** What the builtin router does with a word: a record to write, a refusal, or nothing where it stands as wished already. */
export interface RouterDecision {
  readonly put?: { readonly id: string; readonly record: AskRecord };
  readonly refused?: { readonly code: number; readonly says: string };
}

type Records = ReadonlyMap<string, AskRecord>;

/** A known id is never opened again, whatever its state, and is not an error: raising twice is one ask (A1). */
export function decideRaise(records: Records, request: RequestOf<'mesh-router.raise'>, at: number, openMax: number): RouterDecision {
  const { id, asker, subject, question, proof } = request;
  if (records.has(id)) return {};
  const open = [...records.values()].filter((record) => record.asker === asker && record.state === 'open').length;
  if (open >= openMax) return refuse(429, `${asker} has ${open} asks open already, and at most ${openMax} may be`);
  const record: AskRecord = {
    asker,
    subject,
    question,
    proof,
    options: ['Approve', 'Keep'],
    state: 'open',
    raisedAt: new Date(at).toISOString(),
  };
  return { put: { id, record } };
}

/** Takes open and answered ones; their answer, and who gave it, stay. */
export function decideEnd(records: Records, { id, why }: RequestOf<'mesh-router.end'>): RouterDecision {
  const record = records.get(id);
  if (record === undefined) return unknown(id);
  return record.state === 'ended' ? {} : { put: { id, record: { ...record, state: 'ended', why } } };
}

export function decideAnswer(records: Records, request: RequestOf<'mesh-router.answer'>, at: number): RouterDecision {
  const { id, answer, by, why } = request;
  const record = records.get(id);
  if (record === undefined) return unknown(id);
  if (record.state !== 'open') return refuse(409, `${id} ${sayState(record)}`);
  const answered = { state: 'answered', answer, by, answeredAt: new Date(at).toISOString() } as const;
  return { put: { id, record: { ...record, ...answered, ...(why === undefined ? {} : { why }) } } };
}

function sayState({ state, answer, by, why }: AskRecord): string {
  if (state === 'answered') return `is answered already: ${answer ?? 'unknown'}, by ${by ?? 'somebody'}`;
  return why === undefined ? 'is ended' : `is ended: ${why}`;
}

function unknown(id: string): RouterDecision {
  return refuse(404, `there is no ask ${id}`);
}

function refuse(code: number, says: string): RouterDecision {
  return { refused: { code, says } };
}
