import type { Verb } from '../../src/bus/contracts/verbs.ts';
import type { ServiceReply } from '../../src/bus/port.ts';

const AT = '2026-11-02T22:55:58.000Z';
const fault = {
  kind: 'brake',
  says: 'ace would retire 6 of 6',
  cause: 'a picture that is not whole',
  clears: 'the word',
  node: 'ace',
  since: AT,
};
const ask = {
  id: 'ask-1',
  asker: 'mesh-provisioner',
  subject: 'ace.shop.route',
  question: 'May the route of shop on ace be taken away?',
  proof: { wantedLast: AT, reads: [{ read: 'wants', revision: 4 }] },
  options: ['Approve', 'Keep'],
  state: 'open',
  raisedAt: AT,
};
const provision = {
  state: 'provided',
  why: 'route-adapter on ace provides it',
  since: AT,
  generation: 1,
  provider: { node: 'ace', module: 'route-adapter' },
  with: {},
  builds: ['b1'],
  dependsOn: [],
  evidence: [],
};
const plan = { build: 'b1', values: {}, fills: [], provisions: [], collections: [], evidence: [] };

/** What a seat that has something to say of everything answers. */
export const full: Readonly<Record<string, unknown>> = {
  'mesh-provisioner.provisions': { rows: [{ key: 'ace.shop.route', value: provision }] },
  'mesh-provisioner.plans': { rows: [{ key: 'ace.shop', value: plan }] },
  'mesh-provisioner.provisioning': { rows: [{ key: 'dir', value: { owner: 'mesh-placement', from: { plan: true } } }], outOfShape: [] },
  'mesh-provisioner.health': {
    healthy: false,
    gate: { open: true, missing: [] },
    faults: [fault],
    asks: { open: 1, waiting: 1, oldestWaiting: AT },
    seat: { instance: 'ace-1', epoch: 3 },
  },
  'mesh-provisioner.asks': { open: [ask], waiting: [{ id: 'ask-2', subject: 'ace.wiki.route', since: AT, why: 'three stand open' }] },
  'mesh-provisioner.compose': { passes: [{ node: 'ace', judged: 4, retires: ['ace.shop.route'] }] },
  'mesh-provisioner.reconsider': { key: 'ace.shop.route', state: 'judging' },
  'mesh-provisioner.accept': { read: 'wants', entries: 0 },
  'mesh-router.answer': {},
};

/** What a seat of an empty mesh answers. */
export const empty: Readonly<Record<string, unknown>> = {
  ...full,
  'mesh-provisioner.provisions': { rows: [] },
  'mesh-provisioner.plans': { rows: [] },
  'mesh-provisioner.provisioning': { rows: [], outOfShape: [] },
  'mesh-provisioner.asks': { open: [], waiting: [] },
  'mesh-provisioner.compose': { passes: [] },
};

/** A seat that gives these answers and remembers what it was asked. */
export function standIn(answers: Readonly<Record<string, unknown>>) {
  const calls: [verb: string, request: unknown][] = [];
  const call = async (verb: Verb, request: unknown): Promise<ServiceReply> => {
    calls.push([verb, request]);
    return { ok: true, text: JSON.stringify(answers[verb]) };
  };
  return { call, calls };
}
