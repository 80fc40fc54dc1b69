import type { Fault } from '../bus/contracts/faults.ts';
import { namesOf } from '../bus/contracts/tokens.ts';
import type { AnswerOf, Health, RequestOf, Verb, WaitingAsk } from '../bus/contracts/verbs.ts';
import { registry } from '../machines/registry.ts';
import { missingReads } from '../machines/supervisor.ts';
import { ASKER } from './entries-seen.ts';
import type { Kernel } from './kernel.ts';
import type { KernelReply } from './reply.ts';

/** Answers a verb that reads, from the state as it stands. */
export function read(kernel: Kernel, verb: Verb, request: unknown): KernelReply {
  switch (verb) {
    case 'mesh-provisioner.health':
      return { ok: true, value: healthOf(kernel) };
    case 'mesh-provisioner.provisions':
      return { ok: true, value: { rows: provisionRows(kernel, request as Filter) } };
    case 'mesh-provisioner.plans':
      return { ok: true, value: { rows: rows(kernel.plans, request as Filter) } };
    case 'mesh-provisioner.asks':
      return { ok: true, value: asksOf(kernel) };
    case 'mesh-provisioner.provisioning':
      return provisioning(request as RequestOf<'mesh-provisioner.provisioning'>);
    case 'mesh-router.asks':
      return { ok: true, value: { rows: recordRows(kernel, request as RequestOf<'mesh-router.asks'>) } };
    default:
      return { ok: false, code: 404, says: `${verb} is not a word that reads` };
  }
}

/** Healthy with no faults, or the list of them (H1, A8). */
export function healthOf(kernel: Kernel): Health {
  const supervisor = kernel.supervisor;
  const missing = missingReads(supervisor);
  const faults = [...Object.values(supervisor.faults), ...nodeFaults(kernel), ...refusedFaults(kernel), ...asideFaults(kernel)];
  const { open, waiting } = asksOf(kernel);
  const oldest = waiting.map(({ since }) => since).sort()[0];
  return {
    healthy: faults.length === 0 && missing.length === 0,
    gate: { open: kernel.gateOpen(), missing: [...missing] },
    faults,
    asks: { open: open.length, waiting: waiting.length, ...(oldest === undefined ? {} : { oldestWaiting: oldest }) },
    seat: kernel.seat,
  };
}

type Filter = RequestOf<'mesh-provisioner.provisions'>;

function provisionRows(kernel: Kernel, filter: Filter) {
  return rows(kernel.shown, filter).filter(({ value }) => filter.state === undefined || value.state === filter.state);
}

function rows<T>(entries: ReadonlyMap<string, T>, filter: Filter): { key: string; value: T }[] {
  return [...entries]
    .filter(([key]) => {
      const [node, module] = namesOf(key) ?? [];
      return (filter.node === undefined || filter.node === node) && (filter.module === undefined || filter.module === module);
    })
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => ({ key, value }));
}

export function asksOf(kernel: Kernel): AnswerOf<'mesh-provisioner.asks'> {
  const open = recordRows(kernel, { asker: ASKER, state: 'open' });
  const waiting = kernel.supervisor.waiting.map(
    ({ ask, since, why }): WaitingAsk => ({
      id: ask.id,
      subject: ask.key,
      since: new Date(since).toISOString(),
      why,
    }),
  );
  return { open, waiting };
}

function recordRows(kernel: Kernel, { asker, state }: RequestOf<'mesh-router.asks'>) {
  return [...kernel.records]
    .filter(([, record]) => (asker === undefined || record.asker === asker) && (state === undefined || record.state === state))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, record]) => ({ id, ...record }));
}

function provisioning({ what = 'registry' }: RequestOf<'mesh-provisioner.provisioning'>): KernelReply {
  if (what !== 'registry') return { ok: false, code: 404, says: `this seat answers the registry, and not ${what} yet` };
  return { ok: true, value: { rows: Object.entries(registry).map(([key, value]) => ({ key, value })), outOfShape: [] } };
}

function nodeFaults(kernel: Kernel): readonly Fault[] {
  const nodes = kernel.roots.names().filter((name) => name.startsWith('node.'));
  return nodes.flatMap((name) => Object.values(kernel.node(name.slice('node.'.length))?.faults ?? {}));
}

function refusedFaults(kernel: Kernel): readonly Fault[] {
  return [...kernel.memory.refused.values()].map(({ says, since, effect }) => ({
    kind: 'write-refused',
    says: `${'bucket' in effect ? `the store refused to write ${effect.bucket} ${effect.key}` : `the router refused an ${effect.kind}`}: ${says}`,
    cause: 'bucket' in effect ? 'the bucket is full, is not there, or the seat may not write it' : 'the router does not take it as it is',
    clears: 'the same again, which is tried until it is accepted',
    since: new Date(since).toISOString(),
  }));
}

function asideFaults(kernel: Kernel): readonly Fault[] {
  return [...kernel.roots.aside()].map(([name, { says, since }]) => ({
    kind: 'actor-failed',
    says: `${name} was set aside: ${says}`,
    cause: 'a defect of the seat: nothing of it is judged any more, and nothing of it is taken',
    clears: 'a restart of the seat, once the defect is mended',
    since: new Date(since).toISOString(),
  }));
}
