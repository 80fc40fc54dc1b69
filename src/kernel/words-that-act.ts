import { namesOf } from '../bus/contracts/tokens.ts';
import type { Pass, RequestOf, Verb } from '../bus/contracts/verbs.ts';
import { WATCHED_READS } from '../machines/gate.ts';
import { COMPARED_READS, suspectEntries, suspectsOf } from '../machines/images.ts';
import { judge } from '../machines/judge.ts';
import { decideAnswer, decideEnd, decideRaise } from '../machines/router.ts';
import { saySuspect } from '../machines/suspect-words.ts';
import { pieceOf } from './piece-names.ts';
import type { KernelReply } from './reply.ts';
import type { Telling } from './telling.ts';

const ASKS = 'mesh-router_asks';

/** Works off one verb that acts; `undefined` where the answer follows a write. */
export function act(telling: Telling, verb: Verb, request: unknown, ticket: string): KernelReply | undefined {
  switch (verb) {
    case 'mesh-provisioner.compose':
      return compose(telling, request as RequestOf<'mesh-provisioner.compose'>);
    case 'mesh-provisioner.reconsider':
      return reconsider(telling, request as RequestOf<'mesh-provisioner.reconsider'>);
    case 'mesh-provisioner.accept':
      return accept(telling, request as RequestOf<'mesh-provisioner.accept'>);
    case 'mesh-router.raise':
      return routed(
        telling,
        decideRaise(
          telling.kernel.memory.records,
          request as RequestOf<'mesh-router.raise'>,
          telling.at,
          telling.kernel.settings.asksOpenMax,
        ),
        ticket,
      );
    case 'mesh-router.end':
      return routed(telling, decideEnd(telling.kernel.memory.records, request as RequestOf<'mesh-router.end'>), ticket);
    case 'mesh-router.answer':
      return routed(telling, decideAnswer(telling.kernel.memory.records, request as RequestOf<'mesh-router.answer'>, telling.at), ticket);
    default:
      return refuse(404, `${verb} is not a word that acts`);
  }
}

function compose(telling: Telling, request: RequestOf<'mesh-provisioner.compose'>): KernelReply {
  const { kernel } = telling;
  if (!kernel.gateOpen()) return refuse(423, 'the gate is shut: no node is judged before every read is loaded');
  const known = new Set([...kernel.picture.places.nodes(), ...kernel.nodes()]);
  if (request.node !== undefined && !known.has(request.node)) return refuse(404, `no node ${request.node} is known`);
  if (request['retire-many'] === true) {
    const refused = refusedWord(kernel, request);
    if (refused !== undefined) return refused;
  }
  const nodes = request.node === undefined ? [...known].sort() : [request.node];
  const word = request['retire-many'] === true ? { by: request.by } : undefined;
  const passes = nodes.map((node) => (request['dry-run'] === true ? dryRun(kernel, node, word) : telling.pass(node, word)));
  return { ok: true, value: { passes } };
}

function refusedWord(kernel: Telling['kernel'], request: RequestOf<'mesh-provisioner.compose'>): KernelReply | undefined {
  if (request.node === undefined) return refuse(400, 'retire-many needs the node whose brake it answers');
  const brake = kernel.node(request.node)?.brake;
  if (brake === undefined) return refuse(409, `${request.node} is not braked: there is nothing to let through`);
  const shown = request.consumers === undefined ? undefined : [...request.consumers].sort();
  if (shown !== undefined && JSON.stringify(shown) !== JSON.stringify(brake.consumers)) {
    return refuse(409, `the brake of ${request.node} lists other consumers now: ${brake.consumers.join(', ')}`);
  }
  return undefined;
}

function dryRun(kernel: Telling['kernel'], node: string, word: { by: string } | undefined): Pass {
  const context = kernel.node(node);
  if (context === undefined) return { node, judged: 0, retires: [] };
  const { report } = judge(context, kernel.passOf(node, word));
  return { node, judged: report.judged, retires: [...report.retires], ...(report.braked === undefined ? {} : { braked: report.braked }) };
}

function reconsider({ at, kernel, tellNode, pass }: Telling, { key }: RequestOf<'mesh-provisioner.reconsider'>): KernelReply {
  const [node] = namesOf(key) ?? [];
  if (node === undefined || kernel.node(node)?.keys[key] === undefined) return refuse(404, `there is no key ${key}`);
  tellNode(node, { type: 'reconsider', at, key });
  if (kernel.gateOpen()) pass(node);
  return { ok: true, value: { key, state: kernel.node(node)?.keys[key]?.state ?? 'judging' } };
}

/** Takes what a suspect read brought for true, where it still brings what the operator was shown (P7). */
function accept({ at, kernel, tell }: Telling, request: RequestOf<'mesh-provisioner.accept'>): KernelReply {
  const { reads, images } = kernel.supervisor;
  const read = WATCHED_READS.find((known) => known === request.read);
  if (read === undefined)
    return refuse(404, `there is no read ${request.read}: the reads that can be suspect are ${COMPARED_READS.join(', ')}`);
  const missing = reads[read];
  if (missing !== undefined) return refuse(409, `${read} is not loaded: ${missing.why}. What it brings can be accepted once it is`);
  if (suspectsOf(images, read).length === 0) return refuse(409, `${read} is not suspect: there is nothing to accept`);
  const entries = suspectEntries(images, read);
  if (request.entries !== undefined && request.entries !== entries) {
    return refuse(409, `${read} has ${entries} entries now, not ${request.entries}: ${saySuspect(images, read)}`);
  }
  tell({ type: 'read accepted', at, read });
  return { ok: true, value: { read, entries } };
}

/** A record of the builtin router is written first; the word is answered as the write is acknowledged. */
function routed({ kernel, owed }: Telling, { refused, put }: ReturnType<typeof decideRaise>, ticket: string): KernelReply | undefined {
  if (refused !== undefined) return refuse(refused.code, refused.says);
  if (put === undefined) return { ok: true, value: {} };
  const { records, changed, tickets } = kernel.memory;
  records.set(put.id, put.record);
  changed.add(pieceOf(ASKS, put.id));
  tickets.set(owed.owe('router', { kind: 'put', bucket: ASKS, key: put.id, value: put.record }).id, ticket);
  return undefined;
}

function refuse(code: number, says: string): KernelReply {
  return { ok: false, code, says };
}
