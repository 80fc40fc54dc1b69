import { setup } from 'xstate';
import { type EffectEmitted, nodeRoot, SUPERVISOR, type Word } from './effects.ts';
import { mutate } from './mutate.ts';
import type { AskWord, Question, RecordSeen } from './supervisor-events.ts';

/** What the supervisor tells an ask. */
export type AskEvent =
  | { readonly type: 'raise acknowledged'; readonly at: number }
  | { readonly type: 'raise refused'; readonly at: number; readonly says: string }
  | { readonly type: 'end acknowledged'; readonly at: number }
  | { readonly type: 'record seen'; readonly at: number; readonly record?: RecordSeen }
  /** A loaded router has held no record of it for too long, and it may be raised again (A3). */
  | { readonly type: 'no record'; readonly at: number }
  | { readonly type: 'end'; readonly at: number; readonly why: string };

/** Words of an ask to the node of its key. */
export type AskNews =
  | { readonly type: 'ask opened'; readonly at: number; readonly key: string; readonly ask: string }
  | {
      readonly type: 'ask answered';
      readonly at: number;
      readonly key: string;
      readonly ask: string;
      readonly answer: 'Approve' | 'Keep';
      readonly by: string;
      readonly answeredAt: number;
    }
  | { readonly type: 'ask ended elsewhere'; readonly at: number; readonly key: string; readonly ask: string };

export interface AskInput {
  readonly ask: Question;
  readonly at: number;
  /** The router's record of it, where there is one already: it is not raised a second time. */
  readonly record?: RecordSeen;
}

export interface AskContext {
  readonly ask: Question;
  readonly at: number;
  readonly record: RecordSeen | null;
  why: string;
}

type AskEmitted = EffectEmitted | Word<AskNews> | Word<AskWord>;

interface Now {
  readonly context: AskContext;
  readonly event: AskEvent;
}

const base = setup({
  types: {
    context: {} as AskContext,
    events: {} as AskEvent,
    emitted: {} as AskEmitted,
    input: {} as AskInput | undefined,
  },
  guards: {
    'the router holds an answer': (now) => hasAnswer(recordIn(now)),
    'the router holds it as over': (now) => isOver(recordIn(now)),
    'the router holds it open': (now) => recordIn(now)?.state === 'open',
    'the router holds it': (now) => recordIn(now) !== undefined,
  },
});

const machine = base.extend({
  actions: {
    'raise it': base.emit(({ context: { ask } }) => ({
      type: 'effect',
      about: ask.id,
      effect: { kind: 'raise', ask: ask.id, subject: ask.key, question: ask.question, proof: ask.proof },
    })),
    'end it': base.emit(({ context: { ask, why } }) => ({ type: 'effect', about: ask.id, effect: { kind: 'end', ask: ask.id, why } })),
    'remember why it ends': base.assign(
      mutate<AskContext, AskEvent>((draft, event) => {
        if (event.type === 'end') draft.why = event.why;
      }),
    ),
    'tell the key that it is open': base.emit((now) => {
      const { ask } = now.context;
      return { type: 'word', to: nodeRoot(ask.node), event: { type: 'ask opened', at: timeOf(now), key: ask.key, ask: ask.id } };
    }),
    'tell the key the answer': base.emit((now) => {
      const { ask } = now.context;
      const { answer = 'Keep', by = 'somebody', answeredAt = timeOf(now) } = recordIn(now) ?? {};
      const said = { answer, by, answeredAt };
      return {
        type: 'word',
        to: nodeRoot(ask.node),
        event: { type: 'ask answered', at: timeOf(now), key: ask.key, ask: ask.id, ...said },
      };
    }),
    'tell the key that another ended it': base.emit((now) => {
      const { ask } = now.context;
      return { type: 'word', to: nodeRoot(ask.node), event: { type: 'ask ended elsewhere', at: timeOf(now), key: ask.key, ask: ask.id } };
    }),
    'give the place back': base.emit((now) => ({
      type: 'word',
      to: SUPERVISOR,
      event: { type: 'ask over', at: timeOf(now), id: now.context.ask.id },
    })),
    'say that it is refused': base.emit((now) => ({
      type: 'word',
      to: SUPERVISOR,
      event: {
        type: 'ask refused',
        at: timeOf(now),
        id: now.context.ask.id,
        says: now.event.type === 'raise refused' ? now.event.says : 'it does not say why',
      },
    })),
  },
});

/** What the router shows of it settles it, whether its raise was acknowledged or not. */
const settled = [
  { guard: 'the router holds an answer', target: 'answered' },
  { guard: 'the router holds it as over', target: 'endedElsewhere' },
] as const;

/**
 * One ask that has a place at the router. It lives until it is answered, until its end is acknowledged, or until the router refuses it;
 * the supervisor keeps the time and says when a record is missing for too long (rule group A).
 */
export const askMachine = machine.createMachine({
  id: 'ask',
  context: ({ input }) => ({
    ask: input?.ask ?? { id: '', key: '', node: '', generation: 1, question: '', proof: null },
    at: input?.at ?? 0,
    record: input?.record ?? null,
    why: '',
  }),
  initial: 'choosing',
  states: {
    choosing: { always: [...settled, { guard: 'the router holds it open', target: 'asked' }, { target: 'idle' }] },
    idle: {
      description: 'Its raise is sent and not acknowledged: it is not asked yet (E5).',
      entry: 'raise it',
      on: {
        'raise acknowledged': 'asked',
        'raise refused': 'refused',
        'record seen': [...settled, { guard: 'the router holds it open', target: 'asked' }],
        'no record': 're-raised',
        end: 'dropped',
      },
    },
    asked: {
      entry: 'tell the key that it is open',
      on: { 'record seen': [...settled], 'no record': 're-raised', end: 'ending' },
    },
    're-raised': {
      description: 'A loaded router held no record of it: its raise is sent again, under the same id (A3).',
      entry: 'raise it',
      on: {
        'raise acknowledged': 'asked',
        'raise refused': 'refused',
        'record seen': [...settled, { guard: 'the router holds it open', target: 'asked' }],
        'no record': { target: 're-raised', reenter: true },
        end: 'dropped',
      },
    },
    dropped: {
      description: 'Nobody wants it any more, and its raise may still arrive: its end must not overtake it.',
      entry: 'remember why it ends',
      on: {
        'raise acknowledged': 'ending',
        'raise refused': 'gone',
        'record seen': [
          { guard: 'the router holds it as over', target: 'gone' },
          { guard: 'the router holds it', target: 'ending' },
        ],
      },
    },
    ending: {
      entry: ['remember why it ends', 'end it'],
      on: {
        'end acknowledged': 'gone',
        'record seen': { guard: 'the router holds it as over', target: 'gone' },
      },
    },
    answered: { type: 'final', entry: ['tell the key the answer', 'give the place back'] },
    endedElsewhere: { type: 'final', entry: ['tell the key that another ended it', 'give the place back'] },
    refused: { type: 'final', entry: 'say that it is refused' },
    gone: { type: 'final', entry: 'give the place back' },
  },
});

/** The record that this event brings; at its start, the one it was given. */
function recordIn({ context, event }: Now): RecordSeen | undefined {
  if (event.type === 'record seen') return event.record;
  return isStart(event) ? (context.record ?? undefined) : undefined;
}

function timeOf({ context, event }: Now): number {
  return isStart(event) ? context.at : event.at;
}

/** XState starts an actor with an event of its own, which has no time. */
function isStart(event: AskEvent): boolean {
  return !('at' in event);
}

function hasAnswer(record: RecordSeen | undefined): boolean {
  return record?.state === 'answered' && record.answer !== undefined;
}

/** Ended, or answered without an answer that anybody could act on. */
function isOver(record: RecordSeen | undefined): boolean {
  return record !== undefined && record.state !== 'open' && !hasAnswer(record);
}
