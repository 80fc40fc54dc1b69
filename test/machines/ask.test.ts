import { describe, expect, it } from 'vitest';
import { createActor, type InspectionEvent } from 'xstate';
import { type AskEvent, askMachine } from '../../src/machines/ask.ts';
import type { RecordSeen } from '../../src/machines/supervisor-events.ts';
import { answered, ended, open, question } from './driven-supervisor.ts';

const acknowledged: AskEvent = { type: 'raise acknowledged', at: 2 };
const refused: AskEvent = { type: 'raise refused', at: 3, says: '3 are open' };
const noRecord: AskEvent = { type: 'no record', at: 4 };
const end: AskEvent = { type: 'end', at: 5, why: 'it is needed again' };
const over: AskEvent = { type: 'end acknowledged', at: 6 };
const seen = (record: RecordSeen): AskEvent => ({ type: 'record seen', at: 7, record });
const raise = 'raise a';
const opened = 'node.n1 ask opened';
const back = 'supervisor ask over';

/** Where the ask comes to, and what left it on the way. */
function ask(events: readonly AskEvent[], record?: RecordSeen) {
  const said: string[] = [];
  const words: unknown[] = [];
  const hear = (inspected: InspectionEvent) => {
    if (inspected.type !== '@xstate.actor') return;
    (inspected.actorRef as ReturnType<typeof createActor<typeof askMachine>>).on('*', (emitted) => {
      if (emitted.type === 'word') words.push(emitted.event);
      const { type } = emitted;
      if (type === 'effect') said.push(`${emitted.effect.kind} ${'ask' in emitted.effect ? emitted.effect.ask : ''}`);
      else said.push(`${emitted.to} ${emitted.event.type}`);
    });
  };
  const input = { ask: question('a'), at: 1, ...(record === undefined ? {} : { record }) };
  const actor = createActor(askMachine, { id: 'a', input, inspect: hear });
  actor.start();
  for (const event of events) if (actor.getSnapshot().status === 'active') actor.send(event);
  return { state: actor.getSnapshot().value, said, words };
}

describe('E5 an ask is asked once its raise is acknowledged, or its record seen', () => {
  it.each<[string, AskEvent[], string, string[]]>([
    ['raised', [], 'idle', [raise]],
    ['acknowledged', [acknowledged], 'asked', [raise, opened]],
    ['seen open', [seen(open)], 'asked', [raise, opened]],
    ['seen open, then acknowledged', [seen(open), acknowledged], 'asked', [raise, opened]],
    ['seen to be held by nobody', [{ type: 'record seen', at: 7 }], 'idle', [raise]],
    ['refused', [refused], 'refused', [raise, 'supervisor ask refused']],
    ['refused late, its record standing', [seen(open), refused], 'asked', [raise, opened]],
  ])('%s', (_, events, state, said) => {
    expect(ask(events)).toMatchObject({ state, said });
  });
});

describe('A3 an ask without a record', () => {
  it.each<[string, AskEvent[], string, string[]]>([
    ['is raised again', [acknowledged, noRecord], 're-raised', [raise, opened, raise]],
    ['again and again', [noRecord, noRecord], 're-raised', [raise, raise, raise]],
    ['until it is acknowledged', [noRecord, acknowledged], 'asked', [raise, raise, opened]],
    ['or its record seen', [noRecord, seen(open)], 'asked', [raise, raise, opened]],
    ['or refused', [noRecord, refused], 'refused', [raise, raise, 'supervisor ask refused']],
  ])('%s', (_, events, state, said) => {
    expect(ask(events)).toMatchObject({ state, said });
  });
});

describe('A4 an answer', () => {
  it('goes to the key, with who gave it and when, and gives the place back', () => {
    const { state, said, words } = ask([acknowledged, seen(answered('Approve'))]);
    expect(state).toBe('answered');
    expect(said).toEqual([raise, opened, 'node.n1 ask answered', back]);
    expect(words[1]).toEqual({ type: 'ask answered', at: 7, key: 'n1.a.route', ask: 'a', answer: 'Approve', by: 'ada', answeredAt: 77 });
  });

  it.each(['Approve', 'Keep'] as const)('that stands from before is taken without a raise: %s', (answer) => {
    const { state, said, words } = ask([], answered(answer));
    expect(state).toBe('answered');
    expect(said).toEqual(['node.n1 ask answered', back]);
    expect(words[0]).toMatchObject({ at: 1, answer });
  });

  it('without an answer in it is none: the ask is over', () => {
    const { state, said } = ask([acknowledged, seen({ state: 'answered', subject: 's' })]);
    expect(state).toBe('endedElsewhere');
    expect(said).toEqual([raise, opened, 'node.n1 ask ended elsewhere', back]);
  });

  it('to an ask that is being ended changes nothing', () => {
    expect(ask([acknowledged, end, seen(answered('Approve'))])).toMatchObject({ state: 'ending', said: [raise, opened, 'end a'] });
  });
});

describe('K6 an ask that nobody wants any more', () => {
  it.each<[string, AskEvent[], string, string[]]>([
    ['is ended', [acknowledged, end], 'ending', [raise, opened, 'end a']],
    ['is gone once that is acknowledged', [acknowledged, end, over], 'gone', [raise, opened, 'end a', back]],
    ['or its record ended', [acknowledged, end, seen(ended)], 'gone', [raise, opened, 'end a', back]],
    ['is ended no earlier than its raise has arrived', [end], 'dropped', [raise]],
    ['and then at once', [end, acknowledged], 'ending', [raise, 'end a']],
    ['or as its record is seen', [end, seen(open)], 'ending', [raise, 'end a']],
    ['and not at all where the raise was refused', [end, refused], 'gone', [raise, back]],
    ['nor where another ended it', [end, seen(ended)], 'gone', [raise, back]],
    ['the same after a second raise', [acknowledged, noRecord, end, acknowledged], 'ending', [raise, opened, raise, 'end a']],
    ['whatever is dropped twice is ended once', [acknowledged, end, end], 'ending', [raise, opened, 'end a']],
  ])('%s', (_, events, state, said) => {
    expect(ask(events)).toMatchObject({ state, said });
  });

  it('ended by another is told to its key', () => {
    expect(ask([acknowledged, seen(ended)]).said).toEqual([raise, opened, 'node.n1 ask ended elsewhere', back]);
  });

  it('says why to the router, also where it waited for its raise', () => {
    const actor = createActor(askMachine, { input: { ask: question('a'), at: 1 } });
    const effects: unknown[] = [];
    actor.on('effect', ({ effect }) => effects.push(effect));
    actor.start();
    actor.send(end);
    actor.send(acknowledged);
    expect(effects).toEqual([
      { kind: 'raise', ask: 'a', subject: 'n1.a.route', question: 'Take a away?', proof: { of: 'a' } },
      { kind: 'end', ask: 'a', why: 'it is needed again' },
    ]);
  });
});

it('can be made from nothing, as the charts do', () => {
  expect(createActor(askMachine).getSnapshot().value).toBe('idle');
});
