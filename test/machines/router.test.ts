import { describe, expect, it } from 'vitest';
import { AskRecord } from '../../src/bus/contracts/asks.ts';
import { decideAnswer, decideEnd, decideRaise, type RouterDecision } from '../../src/machines/router.ts';

const AT = 1_000;
const request = (id: string, asker = 'seat') => ({ id, asker, subject: `of ${id}`, question: '?', proof: { why: 1 } });

/** A router that has heard these words. */
function router(...words: ((records: ReadonlyMap<string, AskRecord>) => RouterDecision)[]) {
  const records = new Map<string, AskRecord>();
  let last: RouterDecision = {};
  for (const word of words) {
    last = word(records);
    if (last.put !== undefined) records.set(last.put.id, AskRecord.parse(last.put.record));
  }
  return { records, last };
}
const raise = (id: string, asker?: string) => (records: ReadonlyMap<string, AskRecord>) => decideRaise(records, request(id, asker), AT, 3);
const answer =
  (id: string, said: 'Approve' | 'Keep' = 'Approve') =>
  (records: ReadonlyMap<string, AskRecord>) =>
    decideAnswer(records, { id, answer: said, by: 'ada' }, 2 * AT);
const end = (id: string) => (records: ReadonlyMap<string, AskRecord>) => decideEnd(records, { id, why: 'needed again' });

describe('raise', () => {
  it('opens a record', () => {
    expect(router(raise('a')).records.get('a')).toEqual({
      asker: 'seat',
      subject: 'of a',
      question: '?',
      proof: { why: 1 },
      options: ['Approve', 'Keep'],
      state: 'open',
      raisedAt: '1970-01-01T00:00:01.000Z',
    });
  });

  it('is refused with 429 where the asker has three open, and for that asker alone', () => {
    const three = [raise('a'), raise('b'), raise('c')];
    expect(router(...three, raise('d')).last).toEqual({
      refused: { code: 429, says: 'seat has 3 asks open already, and at most 3 may be' },
    });
    expect(router(...three, raise('d', 'another')).last.put?.id).toBe('d');
    expect(router(...three, answer('b'), raise('d')).last.put?.id).toBe('d');
    expect(router(...three, end('b'), raise('d')).last.put?.id).toBe('d');
  });

  it.each([
    ['open', []],
    ['answered', [answer('a')]],
    ['ended', [end('a')]],
  ])('never opens a known id again, and says nothing against it: %s', (_, words) => {
    expect(router(raise('a'), ...words, raise('a')).last).toEqual({});
    expect(router(raise('a'), raise('b'), raise('c'), ...words, raise('a')).last).toEqual({});
  });
});

describe('answer', () => {
  it('is recorded with who gave it and when', () => {
    expect(router(raise('a'), answer('a', 'Keep')).records.get('a')).toMatchObject({
      state: 'answered',
      answer: 'Keep',
      by: 'ada',
      answeredAt: '1970-01-01T00:00:02.000Z',
    });
  });

  it('is refused where the ask is not open, or not there', () => {
    expect(router(raise('a'), answer('a'), answer('a', 'Keep')).last).toEqual({
      refused: { code: 409, says: 'a is answered already: Approve, by ada' },
    });
    expect(router(raise('a'), end('a'), answer('a')).last).toEqual({ refused: { code: 409, says: 'a is ended: needed again' } });
    expect(router(answer('a')).last).toEqual({ refused: { code: 404, says: 'there is no ask a' } });
  });
});

describe('end', () => {
  it('takes an open ask and an answered one, whose answer stays', () => {
    expect(router(raise('a'), end('a')).records.get('a')).toMatchObject({ state: 'ended', why: 'needed again' });
    expect(router(raise('a'), answer('a'), end('a')).records.get('a')).toMatchObject({ state: 'ended', answer: 'Approve', by: 'ada' });
  });

  it('twice is once; of an unknown ask it is refused', () => {
    expect(router(raise('a'), end('a'), end('a')).last).toEqual({});
    expect(router(end('a')).last).toEqual({ refused: { code: 404, says: 'there is no ask a' } });
  });
});
