import { enqueueActions, setup } from 'xstate';
import type { Fault } from '../bus/contracts/faults.ts';
import { consumerOf } from './candidate.ts';
import { nodeRoot, SUPERVISOR } from './effects.ts';
import { faultEffects } from './fault-effects.ts';
import { judge } from './judge.ts';
import type { PlanChange } from './judge-plans.ts';
import { keyMachine } from './key.ts';
import type { KeyEvent } from './key-events.ts';
import { dependentsOf } from './key-verdicts.ts';
import type { NodeContext, NodeEmitted, NodeEvent, NodeInput } from './node-events.ts';
import { disagreesFault, failedFault } from './node-faults.ts';
import { nodeAfterSleep } from './slept.ts';

const PROOF_RETRY_MS = 1000;

const base = setup({
  types: {
    context: {} as NodeContext,
    events: {} as NodeEvent,
    emitted: {} as NodeEmitted,
    input: {} as NodeInput | undefined,
  },
  actors: { key: keyMachine },
  guards: {
    'was never judged': ({ context }) => !context.judged,
    'is braked, or nothing can be judged': ({ context }) => context.brake !== undefined || context.held,
    'has a key retiring': ({ context }) => Object.values(context.keys).some(({ state }) => state === 'retiring'),
    'has every key provided': ({ context }) => Object.values(context.keys).every(({ state }) => state === 'provided'),
  },
  actions: {
    'judge every key': enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'pass') return;
      const { born, verdicts, plans, context: decided, report } = judge(context, event);
      const { at } = event;
      enqueue.assign(({ spawn }) => {
        for (const { key, module, generation } of born)
          spawn('key', { id: key, input: { node: context.node, module, key, at, generation } });
        return { ...decided, judged: true, gateOpen: true };
      });
      for (const verdict of verdicts) enqueue.sendTo(verdict.key, verdict.event);
      for (const change of plans) enqueue.emit(planEffect(change));
      for (const emitted of faultEffects(context.faults, decided.faults)) enqueue.emit(emitted);
      if ((context.brake === undefined) !== (decided.brake === undefined)) {
        enqueue.emit({
          type: 'word',
          to: SUPERVISOR,
          event: { type: 'node braked', at, node: context.node, braked: decided.brake !== undefined },
        });
      }
      if (decided.brake === undefined) for (const key of approved(context)) enqueue.sendTo(key, { type: 'prove', at });
      enqueue.emit({ type: 'word', to: 'seat', event: { type: 'passed', at, node: context.node, report } });
      if (decided.wakeAt !== undefined)
        enqueue.emit({ type: 'word', to: 'clock', event: { owner: nodeRoot(context.node), at: decided.wakeAt } });
    }),
    'note how a key stands': enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'key stands') return;
      const { key, standing, at } = event;
      const { [`key-failed.${key}`]: failed, ...others } = context.faults;
      const faults: Record<string, Fault> =
        standing.failed === undefined ? others : { ...others, [`key-failed.${key}`]: failedFault(context, key, standing.failed, at) };
      enqueue.assign({ keys: { ...context.keys, [key]: standing }, faults });
      if (failed !== undefined || standing.failed !== undefined)
        for (const emitted of faultEffects(context.faults, faults)) enqueue.emit(emitted);
      const turned = standing.state === 'retiring' && context.keys[key]?.state !== 'retiring';
      const warranted = standing.detail === 'warranted' && context.keys[key]?.detail !== 'warranted';
      if (turned || warranted) enqueue.emit({ type: 'word', to: 'clock', event: { owner: nodeRoot(context.node), at } });
    }),
    'forget the key': enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'key gone') return;
      const { key, at } = event;
      const { [key]: gone, ...keys } = context.keys;
      const { [key]: _acknowledged, ...acknowledged } = context.acknowledged;
      const { [`key-failed.${key}`]: _failed, [`ask-disagrees.${key}`]: _disputed, ...faults } = context.faults;
      const consumer = consumerOf(key);
      const last = !Object.keys(keys).some((other) => consumerOf(other) === consumer);
      enqueue.assign({
        keys,
        acknowledged,
        faults,
        generations: { ...context.generations, [key]: gone?.generation ?? 0 },
        retired: last ? { ...context.retired, [consumer]: at } : context.retired,
      });
      enqueue.stopChild(key);
      for (const emitted of faultEffects(context.faults, faults)) enqueue.emit(emitted);
      for (const other of gone?.dependsOn ?? []) {
        const blocking = dependentsOf({ ...context, keys }, other);
        if (keys[other] !== undefined && blocking.length === 0) enqueue.sendTo(other, { type: 'dependents gone', at });
      }
      enqueue.emit({ type: 'word', to: 'clock', event: { owner: nodeRoot(context.node), at } });
    }),
    'adopt the key': enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'adopt' || context.keys[event.key] !== undefined) return;
      const { key, module, entry, at } = event;
      enqueue.assign(({ spawn }) => {
        spawn('key', { id: key, input: { node: context.node, module, key, at, generation: entry.generation, adopted: entry } });
        return {
          keys: {
            ...context.keys,
            [key]: {
              state: entry.state,
              generation: entry.generation,
              bound: true,
              with: entry.with,
              dependsOn: entry.dependsOn,
              ...(entry.provider === undefined ? {} : { provider: entry.provider }),
              ...(entry.state === 'retiring' ? { unneeded: 'consumer-gone' as const } : {}),
              kept: entry.detail === 'kept',
              approved: false,
              proving: false,
            },
          },
          acknowledged: { ...context.acknowledged, [key]: entry.state },
        };
      });
    }),
    'adopt the plan': enqueueActions(({ context, event, enqueue }) => {
      if (event.type === 'adopt plan' && context.plans[event.key] === undefined)
        enqueue.assign({ plans: { ...context.plans, [event.key]: event.plan } });
    }),
    'tell the key': enqueueActions(({ context, event, enqueue }) => {
      if (!('key' in event) || context.keys[event.key] === undefined) return;
      const told = toKey(event);
      if (told !== undefined) enqueue.sendTo(event.key, told);
      if (event.type === 'ask answered' && context.gateOpen && context.brake === undefined)
        enqueue.sendTo(event.key, { type: 'prove', at: event.at });
    }),
    'weigh the proof': enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'proof read' || context.keys[event.key] === undefined) return;
      const { key, at, needed } = event;
      if (!context.gateOpen || context.brake !== undefined) enqueue.sendTo(key, { type: 'proof failed', at });
      else if (needed === undefined) enqueue.sendTo(key, { type: 'absence proven', at });
      else {
        const faults = { ...context.faults, [`ask-disagrees.${key}`]: disagreesFault(context, key, needed, at) };
        const { [key]: _dwelling, ...unneeded } = context.unneeded;
        enqueue.assign({ faults, unneeded });
        for (const emitted of faultEffects(context.faults, faults)) enqueue.emit(emitted);
        enqueue.sendTo(key, { type: 'absence disproved', at });
      }
    }),
    'try the proof again soon': enqueueActions(({ context, event, enqueue }) => {
      enqueue.emit({ type: 'word', to: 'clock', event: { owner: nodeRoot(context.node), at: event.at + PROOF_RETRY_MS } });
    }),
    'note what is acknowledged': enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'entry written') return;
      const acknowledged = { ...context.acknowledged, [event.key]: event.state };
      enqueue.assign({ acknowledged });
      if ((context.acknowledged[event.key] === 'provided') === (event.state === 'provided')) return;
      for (const [other, standing] of Object.entries(context.keys)) {
        if (!standing.dependsOn.includes(event.key)) continue;
        const unmet = standing.dependsOn.filter((dependency) => acknowledged[dependency] !== 'provided');
        enqueue.sendTo(other, { type: 'dependencies changed', at: event.at, unmet });
      }
    }),
    'let the time slept count for nothing': enqueueActions(({ context, event, enqueue }) => {
      if (event.type === 'slept') enqueue.assign(nodeAfterSleep(context, event.forMs));
    }),
    'begin every dwell again': enqueueActions(({ enqueue }) => {
      enqueue.assign({ unneeded: {}, gateOpen: false });
    }),
  },
});

/** One node: every key and plan of it judged in passes, one brake before them (rule groups C, K, B). */
export const nodeMachine = base.createMachine({
  id: 'node',
  context: ({ input }) => ({
    node: input?.node ?? '',
    settings: input?.settings ?? { dwellMs: 0, brakeWindowMs: 0, brakeSettleMs: 0, wordMs: 0 },
    keys: {},
    acknowledged: {},
    unneeded: {},
    plans: {},
    samples: [],
    retired: {},
    generations: {},
    faults: {},
    brake: undefined,
    word: undefined,
    gateOpen: false,
    held: false,
    judged: false,
    wakeAt: undefined,
  }),
  initial: 'loading',
  on: {
    pass: { target: '.settling', actions: 'judge every key' },
    adopt: { actions: 'adopt the key' },
    'adopt plan': { actions: 'adopt the plan' },
    'key stands': { target: '.settling', actions: 'note how a key stands' },
    'key gone': { target: '.settling', actions: 'forget the key' },
    outcome: { actions: 'tell the key' },
    'ask opened': { actions: 'tell the key' },
    'ask answered': { actions: 'tell the key' },
    'ask ended elsewhere': { actions: 'tell the key' },
    reconsider: { actions: 'tell the key' },
    'proof read': { actions: 'weigh the proof' },
    'proof failed': { actions: ['tell the key', 'try the proof again soon'] },
    'entry written': { actions: ['note what is acknowledged', 'tell the key'] },
    'entry deleted': { actions: 'tell the key' },
    'gate shut': { actions: 'begin every dwell again' },
    slept: { actions: ['let the time slept count for nothing', 'begin every dwell again'] },
  },
  states: {
    loading: {},
    settling: {
      always: [
        { guard: 'was never judged', target: 'loading' },
        { guard: 'is braked, or nothing can be judged', target: 'held' },
        { guard: 'has a key retiring', target: 'retiring' },
        { guard: 'has every key provided', target: 'provided' },
        { target: 'judging' },
      ],
    },
    judging: {},
    held: {},
    provided: {},
    retiring: {},
  },
});

function toKey(event: NodeEvent): KeyEvent | undefined {
  switch (event.type) {
    case 'outcome':
      return { type: 'answered', at: event.at, answer: event.answer };
    case 'ask opened':
    case 'ask answered':
    case 'ask ended elsewhere':
    case 'reconsider':
    case 'proof failed':
    case 'entry deleted':
      return event;
    case 'entry written':
      return { type: 'entry written', at: event.at };
    default:
      return undefined;
  }
}

function approved(context: NodeContext): readonly string[] {
  return Object.keys(context.keys)
    .filter((key) => context.keys[key]?.approved === true && context.keys[key]?.proving === false)
    .sort();
}

function planEffect({ key, plan }: PlanChange): NodeEmitted {
  const where = { bucket: 'mesh-provisioner_plans', key };
  return { type: 'effect', effect: plan === undefined ? { kind: 'delete', ...where } : { kind: 'put', ...where, value: plan } };
}
