import { enqueueActions, setup } from 'xstate';
import type { KeyDetail } from '../bus/contracts/provisions.ts';
import { nodeRoot, SUPERVISOR } from './effects.ts';
import { askId, entryOf, initialKey, type Shown, standingOf } from './key-entry.ts';
import type { KeyContext, KeyEmitted, KeyEvent, KeyInput } from './key-events.ts';
import { answers, hasFailed, haveRevision, isBlocked, isLetGo, isProvided, isWaiting, takeAnswer, takeNeed } from './key-judging.ts';
import { mutate } from './mutate.ts';
import { questionOf } from './question.ts';
import type { Reason } from './reasons.ts';

const base = setup({
  types: {
    context: {} as KeyContext,
    events: {} as KeyEvent,
    emitted: {} as KeyEmitted,
    input: {} as KeyInput | undefined,
  },
  actions: {
    show: enqueueActions(({ context, event, enqueue }, params: Shown) => {
      const reason = reasonOf(context, params);
      const moved = !context.shown.startsWith(mark(params));
      const since = moved && 'at' in event ? event.at : context.since;
      const present = { ...context, since, reason };
      const entry = entryOf(present, params);
      const shown = mark(params) + JSON.stringify({ ...entry, evidence: [] });
      enqueue.assign({ since, reason, shown });
      const standing = standingOf(present, params);
      enqueue.emit({ type: 'word', to: nodeRoot(context.node), event: { type: 'key stands', at: event.at, key: context.key, standing } });
      if (shown === context.shown) return;
      enqueue.emit({
        type: 'effect',
        about: context.key,
        effect: { kind: 'put', bucket: 'mesh-provisioner_provisions', key: context.key, value: entry },
      });
    }),
    'drop the ask': enqueueActions(({ context, event, enqueue }, params: { why: string }) => {
      if (context.ask === undefined) return;
      enqueue.emit({ type: 'word', to: SUPERVISOR, event: { type: 'ask dropped', at: event.at, id: context.ask.id, why: params.why } });
    }),
  },
  guards: {
    'is provided': ({ context }) => isProvided(context),
    'waits, having been provided': ({ context }) => isWaiting(context),
    'is blocked': ({ context }) => isBlocked(context),
    'has failed': ({ context }) => hasFailed(context),
    'is warranted already': ({ context }) => context.warrant?.generation === context.generation,
    'is let go': ({ context }) => isLetGo(context),
    'would be let go': ({ context, event }) => event.type === 'answered' && isLetGo(withAnswer(context, event)),
    'could not let go': ({ context, event }) =>
      event.type === 'answered' && event.answer.state === 'failed' && answers({ ...context, answer: event.answer }),
    'is approved': ({ context, event }) => event.type === 'ask answered' && event.answer === 'Approve' && event.ask === context.ask?.id,
    'is to be kept': ({ context, event }) => event.type === 'ask answered' && event.answer === 'Keep' && event.ask === context.ask?.id,
    'is its ask': ({ context, event }) =>
      (event.type === 'ask opened' || event.type === 'ask ended elsewhere') && event.ask === context.ask?.id,
    'nothing depends on it': ({ context }) => context.dependents.length === 0,
  },
});

const machine = base.extend({
  actions: {
    'take the need': base.assign(
      mutate<KeyContext, KeyEvent>((key, event) => {
        if (event.type === 'needed') takeNeed(key, event.need, event.unmet);
      }),
    ),
    'take the answer': base.assign(
      mutate<KeyContext, KeyEvent>((key, event) => {
        if (event.type === 'answered') takeAnswer(key, event.answer);
      }),
    ),
    'take the dependencies': base.assign(
      mutate<KeyContext, KeyEvent>((key, event) => {
        if (event.type === 'dependencies changed') key.unmet = [...event.unmet];
      }),
    ),
    'take the hold': base.assign(
      mutate<KeyContext, KeyEvent>((key, event) => {
        if (event.type === 'hold') key.reason = event.reason as typeof key.reason;
      }),
    ),
    'rise above what was asked': base.assign(
      mutate<KeyContext, KeyEvent>((key) => {
        key.generation += 1;
        key.providedAt = undefined;
        key.unneeded = undefined;
        key.ask = undefined;
        key.approval = undefined;
        key.proving = false;
        key.warrant = undefined;
        key.kept = undefined;
      }),
    ),
    'judge afresh': base.assign(
      mutate<KeyContext, KeyEvent>((key) => {
        key.reason = { because: 'loading' };
      }),
    ),
    'become unneeded': base.assign(
      mutate<KeyContext, KeyEvent>((key, event) => {
        if (event.type !== 'retire') return;
        key.unneeded = event.unneeded;
        key.dependents = [...event.dependents];
        key.proof = event.proof;
        key.lastWanted = event.lastWanted;
        key.ask ??= { id: askId(key.key, key.generation), state: 'waiting' };
      }),
    ),
    'have no dependents': base.assign(
      mutate<KeyContext, KeyEvent>((key) => {
        key.dependents = [];
      }),
    ),
    'note the open ask': base.assign(
      mutate<KeyContext, KeyEvent>((key) => {
        if (key.ask !== undefined) key.ask.state = 'open';
      }),
    ),
    'note the Approve': base.assign(
      mutate<KeyContext, KeyEvent>((key, event) => {
        if (event.type !== 'ask answered') return;
        key.approval = { by: event.by, at: event.answeredAt };
        if (key.ask !== undefined) key.ask.state = 'answered';
      }),
    ),
    'note the Keep': base.assign(
      mutate<KeyContext, KeyEvent>((key, event) => {
        if (event.type !== 'ask answered') return;
        key.kept = { by: event.by, generation: key.generation };
        key.unneeded = undefined;
        key.ask = undefined;
        key.reason = { because: 'kept', by: event.by, generation: key.generation };
      }),
    ),
    'note the proof under way': base.assign(
      mutate<KeyContext, KeyEvent>((key) => {
        key.proving = true;
      }),
    ),
    'note no proof': base.assign(
      mutate<KeyContext, KeyEvent>((key) => {
        key.proving = false;
      }),
    ),
    'make out the warrant': base.assign(
      mutate<KeyContext, KeyEvent>((key) => {
        if (key.approval === undefined || key.ask === undefined) return;
        key.proving = false;
        key.warrant = {
          ask: key.ask.id,
          answer: 'yes',
          by: key.approval.by,
          at: new Date(key.approval.at).toISOString(),
          generation: key.generation,
        };
      }),
    ),
    'remember what its provider has': base.assign(
      mutate<KeyContext, KeyEvent>((key) => {
        key.haveAtWarrant ??= haveRevision(key);
      }),
    ),
    'be provided': base.assign(
      mutate<KeyContext, KeyEvent>((key) => {
        key.providedAt = key.generation;
      }),
    ),
    'want the ask raised': base.emit(({ context, event }) => ({
      type: 'word',
      to: SUPERVISOR,
      event: { type: 'ask wanted', at: event.at, ask: questionOf(context) },
    })),
    'ask for the proof': base.emit(({ context }) => ({ type: 'effect', about: context.key, effect: { kind: 'prove', key: context.key } })),
    'delete the entry': base.emit(({ context }) => ({
      type: 'effect',
      about: context.key,
      effect: { kind: 'delete', bucket: 'mesh-provisioner_provisions', key: context.key },
    })),
    'say it is gone': base.emit(({ context, event }) => ({
      type: 'word',
      to: nodeRoot(context.node),
      event: { type: 'key gone', at: event.at, key: context.key },
    })),
  },
});

const show = (state: Shown['state'], detail?: KeyDetail) => ({ type: 'show' as const, params: { state, detail } });
const drop = (why: string) => ({ type: 'drop the ask' as const, params: { why } });

/** One provision of one consumer: loading → judging → held | provided | retiring, then gone (rule group K). */
export const keyMachine = machine.createMachine({
  id: 'key',
  context: ({ input }) => initialKey(input),
  initial: 'loading',
  on: {
    needed: { target: '.settling', actions: [drop('it is needed again'), 'take the need'] },
    hold: { target: '.held', reenter: true, actions: 'take the hold' },
    retire: { target: '.retiring', actions: 'become unneeded' },
    forget: '.leaving',
    reconsider: { target: '.settling', actions: [drop('the operator asked for it to be reconsidered'), 'rise above what was asked'] },
  },
  states: {
    loading: {},
    settling: {
      always: [
        { guard: 'is provided', target: 'provided.serving', actions: 'be provided' },
        { guard: 'waits, having been provided', target: 'provided.waiting' },
        { guard: 'is blocked', target: 'judging.blocked' },
        { guard: 'has failed', target: 'judging.failed' },
        { target: 'judging.asked' },
      ],
    },
    judging: {
      initial: 'asked',
      on: {
        answered: { target: 'settling', actions: 'take the answer' },
        'dependencies changed': { target: 'settling', actions: 'take the dependencies' },
      },
      states: {
        asked: { entry: [show('judging', 'asked')] },
        failed: { entry: [show('judging', 'failed')] },
        blocked: { entry: [show('judging', 'blocked')] },
      },
    },
    provided: {
      initial: 'serving',
      on: {
        answered: { target: 'settling', actions: 'take the answer' },
        'dependencies changed': { target: 'settling', actions: 'take the dependencies' },
      },
      states: {
        serving: { entry: [show('provided')] },
        waiting: { entry: [show('provided', 'waits')] },
      },
    },
    held: {
      initial: 'choosing',
      on: { answered: { actions: 'take the answer' } },
      states: {
        choosing: {
          always: [
            { guard: ({ context }) => detailOfHold(context.reason) === 'unreadable', target: 'unreadable' },
            { guard: ({ context }) => detailOfHold(context.reason) === 'no-build', target: 'no-build' },
            { guard: ({ context }) => detailOfHold(context.reason) === 'unread', target: 'unread' },
            { guard: ({ context }) => detailOfHold(context.reason) === 'unpublished', target: 'unpublished' },
            { guard: ({ context }) => detailOfHold(context.reason) === 'kept', target: 'kept' },
            { guard: ({ context }) => detailOfHold(context.reason) === 'braked', target: 'braked' },
            { target: 'dwelling' },
          ],
        },
        unreadable: { entry: show('held', 'unreadable') },
        'no-build': { entry: show('held', 'no-build') },
        unread: { entry: show('held', 'unread') },
        unpublished: { entry: show('held', 'unpublished') },
        kept: { entry: show('held', 'kept') },
        braked: { entry: show('held', 'braked') },
        dwelling: { entry: show('held', 'dwelling') },
      },
    },
    retiring: {
      initial: 'choosing',
      on: {
        hold: {
          target: 'held',
          actions: [drop('its module is there again, or its picture is not whole'), 'rise above what was asked', 'take the hold'],
        },
        retire: { actions: 'become unneeded' },
        'ask ended elsewhere': { guard: 'is its ask', target: 'held', actions: ['rise above what was asked', 'judge afresh'] },
      },
      states: {
        choosing: {
          always: [{ guard: 'is warranted already', target: 'warranted' }, { target: 'waiting' }],
        },
        waiting: {
          initial: 'choosing',
          on: {
            'ask opened': { guard: 'is its ask', target: 'asked', actions: 'note the open ask' },
            'ask answered': [
              { guard: 'is approved', target: 'approved', actions: 'note the Approve' },
              { guard: 'is to be kept', target: '#key.held.kept', actions: 'note the Keep' },
            ],
            answered: { actions: 'take the answer' },
          },
          states: {
            choosing: { always: [{ guard: 'nothing depends on it', target: 'place' }, { target: 'dependents' }] },
            dependents: {
              entry: [show('retiring', 'waiting')],
              on: { 'dependents gone': { target: 'place', actions: 'have no dependents' } },
            },
            place: {
              entry: ['want the ask raised', show('retiring', 'waiting')],
            },
          },
        },
        asked: {
          entry: [show('retiring', 'asked')],
          on: {
            'ask answered': [
              { guard: 'is approved', target: 'approved', actions: 'note the Approve' },
              { guard: 'is to be kept', target: '#key.held.kept', actions: 'note the Keep' },
            ],
            answered: { actions: 'take the answer' },
          },
        },
        approved: {
          entry: [show('retiring', 'asked')],
          on: {
            prove: { actions: ['note the proof under way', 'ask for the proof', show('retiring', 'asked')] },
            'proof failed': { actions: ['note no proof', show('retiring', 'asked')] },
            'absence proven': { target: 'warranting', actions: 'make out the warrant' },
            'absence disproved': {
              target: '#key.held',
              actions: [drop('what was read again shows it needed'), 'rise above what was asked', 'judge afresh'],
            },
            answered: { actions: 'take the answer' },
          },
        },
        warranting: {
          entry: [show('retiring', 'warranted')],
          on: {
            'entry written': { target: 'warranted' },
            answered: { actions: 'take the answer' },
          },
        },
        warranted: {
          entry: ['remember what its provider has', show('retiring', 'warranted')],
          always: { guard: 'is let go', target: '#key.leaving' },
          on: {
            'provider gone': { target: '#key.leaving' },
            answered: [
              { guard: 'would be let go', target: '#key.leaving', actions: 'take the answer' },
              { guard: 'could not let go', target: 'failed', actions: 'take the answer' },
              { actions: 'take the answer' },
            ],
          },
        },
        failed: {
          entry: [show('retiring', 'failed')],
          on: {
            'provider gone': { target: '#key.leaving' },
            answered: [
              { guard: 'would be let go', target: '#key.leaving', actions: 'take the answer' },
              { guard: 'could not let go', target: 'failed', reenter: true, actions: 'take the answer' },
              { target: 'warranted', actions: 'take the answer' },
            ],
          },
        },
      },
    },
    leaving: {
      entry: 'delete the entry',
      on: { 'entry deleted': { target: 'gone' } },
    },
    gone: { type: 'final', entry: 'say it is gone' },
  },
});

const NOBODY = { node: '', module: 'its provider' };

function withAnswer(context: KeyContext, event: Extract<KeyEvent, { type: 'answered' }>): KeyContext {
  return event.answer.state === 'unknown' ? context : { ...context, answer: event.answer };
}

function reasonOf(key: KeyContext, shown: Shown): Reason {
  if (shown.state === 'retiring') return whyRetiring(key, shown.detail);
  return shown.state === 'held' ? key.reason : whyJudged(key);
}

function whyRetiring(key: KeyContext, detail: KeyDetail | undefined): Reason {
  const unneeded = key.unneeded ?? 'consumer-gone';
  const provider = key.provider ?? NOBODY;
  const by = key.warrant?.by ?? key.approval?.by ?? '';
  if (detail === 'waiting')
    return key.dependents.length > 0 ? { because: 'dependents', keys: key.dependents } : { because: 'place', unneeded };
  if (detail === 'failed')
    return { because: 'let-go-failed', provider, says: key.answer.state === 'failed' ? key.answer.says : 'it does not say why' };
  if (detail === 'warranted') return { because: 'warranted', by, provider };
  return key.approval === undefined ? { because: 'ask-open', ask: key.ask?.id ?? '', unneeded } : { because: 'approved', by };
}

function whyJudged(key: KeyContext): Reason {
  const provider = key.provider ?? NOBODY;
  if (isProvided(key)) {
    return key.unmet.length > 0
      ? { because: 'dependency-falters', keys: key.unmet }
      : { because: 'provided', provider, generation: key.generation };
  }
  const { answer } = key;
  if (isWaiting(key) && 'says' in answer) return { because: 'waits', provider, says: answer.says };
  if (key.blocked !== undefined) return key.blocked;
  if (key.unmet.length > 0) return { because: 'dependency', keys: key.unmet };
  if (answer.state === 'failed' && hasFailed(key)) return { because: 'failed', provider, says: answer.says };
  if (answer.state === 'waits' && answers(key)) return { because: 'starting', provider, says: answer.says };
  return { because: 'asked', provider, generation: key.generation };
}

function detailOfHold(reason: Reason): KeyDetail {
  switch (reason.because) {
    case 'unreadable':
    case 'names-clash':
      return 'unreadable';
    case 'no-build':
    case 'unread':
    case 'unpublished':
    case 'kept':
    case 'braked':
      return reason.because;
    default:
      return 'dwelling';
  }
}

function mark(shown: Shown): string {
  return `${shown.state}/${shown.detail ?? ''} `;
}
