import type { Fault } from '../bus/contracts/faults.ts';
import { keyOf } from '../bus/contracts/tokens.ts';
import type { Brake, NodeContext, PassEvent } from './node-events.ts';
import { sayPlace, sayReason } from './words.ts';

type Draft = Omit<Fault, 'since'>;

/** The faults that stand on a node after a pass, each since when it was first said (H1). */
export function faultsOfPass(context: NodeContext, pass: PassEvent, brake: Brake | undefined): NodeContext['faults'] {
  const drafts: Record<string, Draft> = {};
  if (brake !== undefined) drafts[`brake.${keyOf(context.node)}`] = brakeFault(context, brake);
  for (const { provider, provision, build } of pass.composed.offerFaults) {
    drafts[`offer.${keyOf(provider.node, provider.module, provision)}`] = {
      kind: 'offer',
      node: provider.node,
      module: provider.module,
      build,
      says: `${sayPlace(provider)} offers ${provision} without a credential form`,
      cause: `the composition of ${provider.module} at build ${build} leaves "credential" out of the offer`,
      clears: `a build of ${provider.module} whose offer says "credential": "pair", "secret" or "none"`,
    };
  }
  for (const [key, consumer] of Object.entries(pass.composed.consumers)) {
    if (consumer.hold?.because !== 'names-clash') continue;
    drafts[`names-clash.${key}`] = {
      kind: 'names-clash',
      node: context.node,
      module: consumer.module,
      says: `${consumer.module} and ${consumer.hold.other} on ${context.node} differ in case alone: both are held`,
      cause: 'one of the two names is probably a slip',
      clears: 'one of the two leaves the node, or is named otherwise',
    };
  }
  const faults: Record<string, Fault> = {};
  for (const [key, draft] of Object.entries(drafts)) faults[key] = since(context, key, draft, pass.at);
  for (const [key, fault] of Object.entries(context.faults)) {
    const stillFailed = fault.kind === 'key-failed';
    const stillDisputed =
      fault.kind === 'ask-disagrees' &&
      fault.key !== undefined &&
      pass.composed.needs[fault.key] === undefined &&
      context.keys[fault.key] !== undefined;
    if (stillFailed || stillDisputed) faults[key] = fault;
  }
  return faults;
}

/** The fault of a key whose provider failed it, in the provider's words (K1). */
export function failedFault(context: NodeContext, key: string, says: string, at: number): Fault {
  return since(
    context,
    `key-failed.${key}`,
    {
      kind: 'key-failed',
      node: context.node,
      key,
      says: `${key} failed: ${says}`,
      cause: 'its provider said so',
      clears: 'the provider provides it, or nothing needs it any more',
    },
    at,
  );
}

/** The fault of an Approve that the live read spoke against (A5). */
export function disagreesFault(context: NodeContext, key: string, found: string, at: number): Fault {
  return since(
    context,
    `ask-disagrees.${key}`,
    {
      kind: 'ask-disagrees',
      node: context.node,
      key,
      says: `${key} was approved to go, but the bus shows it needed: ${found}`,
      cause: 'it came back after the operator was asked, and the watch has not said so yet',
      clears: 'the picture holds what was read',
    },
    at,
  );
}

function brakeFault(context: NodeContext, brake: Brake): Draft {
  return {
    kind: 'brake',
    node: context.node,
    consumers: [...brake.consumers],
    says: `${brake.consumers.length} consumers of ${context.node} would retire at once: ${brake.consumers.join(', ')}. Nothing of the node retires`,
    cause: sayReason({ because: 'braked', consumers: brake.consumers }),
    clears: `they are needed again, or the operator gives the word: compose --node ${context.node} --retire-many`,
  };
}

function since(context: NodeContext, key: string, draft: Draft, at: number): Fault {
  return { ...draft, since: context.faults[key]?.since ?? new Date(at).toISOString() };
}
