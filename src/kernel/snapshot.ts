/**
 * The kernel's whole state in pieces, and a kernel made of them again (E2). What a piece keeps is plain JSON, in one order whatever the
 * order in which it came about: the same state makes the same pieces, byte for byte.
 */
import type { AskRecord } from '../bus/contracts/asks.ts';
import { decodeToken } from '../bus/contracts/tokens.ts';
import { nodeRoot, type OwedEffect, SUPERVISOR } from '../machines/effects.ts';
import { nodeMachine } from '../machines/node.ts';
import { supervisorMachine } from '../machines/supervisor.ts';
import { Collected, sorted } from './collected.ts';
import { Kernel, type KernelSettings } from './kernel.ts';
import { misfitOf } from './misfit.ts';
import type { Piece, Pieces, SupervisorPiece } from './piece.ts';
import { pieceOf, pieceOfRoot } from './piece-names.ts';

const ASKS = 'mesh-router_asks';

/** The pieces that changed since they were last taken, and the supervisor's. */
export function takePieces(kernel: Kernel): Pieces {
  const { changed, wakes, tickets, dirty } = kernel.memory;
  const names = new Set([...changed, SUPERVISOR]);
  changed.clear();
  const pieces = piecesOf(kernel, names);
  const { sequence } = kernel.position;
  const supervisor = {
    seq: sequence,
    ...pieces.get(SUPERVISOR),
    position: kernel.position,
    picture: kernel.picture.memory(),
    wakes: sorted(wakes),
    tickets: sorted(tickets),
    dirty: [...dirty].sort(),
  };
  pieces.delete(SUPERVISOR);
  return { supervisor, others: pieces };
}

/** A kernel that stands where the pieces were taken, or why they do not fit the machines of today. Its nodes sleep until they are needed. */
export function resumed(
  settings: KernelSettings,
  supervisor: SupervisorPiece,
  others: ReadonlyMap<string, Piece>,
): Kernel | { readonly misfit: string } {
  const misfit = misfitOf(supervisor, others);
  if (misfit !== undefined) return { misfit };
  const kernel = new Kernel(settings);
  const { picture, roots, memory } = kernel;
  const all = [supervisor, ...others.values()];
  for (const piece of all) readAgain(kernel, piece, supervisor.position.at);
  picture.resume(supervisor.picture);
  for (const [key, piece] of [[SUPERVISOR, supervisor] as const, ...others]) {
    if (piece.actor === undefined) continue;
    const node = decodeToken(key.slice('node.'.length)) ?? '';
    if (key === SUPERVISOR) roots.sleep(SUPERVISOR, supervisorMachine, piece.actor, piece.aside);
    else roots.sleep(nodeRoot(node), nodeMachine, piece.actor, piece.aside);
    if (piece.uses !== undefined) picture.resumeUses(node, piece.uses);
  }
  for (const piece of all) bringBack(kernel, piece);
  const owed = all.flatMap((piece) => piece.owed ?? []).sort(byId);
  for (const one of owed) {
    memory.owed.set(one.id, one);
    if ('bucket' in one.effect) memory.owedAt.set(`${one.effect.bucket} ${one.effect.key}`, one.id);
  }
  for (const [owner, at] of Object.entries(supervisor.wakes)) memory.wakes.set(owner, at);
  for (const [effect, ticket] of Object.entries(supervisor.tickets)) memory.tickets.set(effect, ticket);
  for (const node of supervisor.dirty) memory.dirty.add(node);
  kernel.resume(supervisor.position);
  memory.changed.clear();
  return kernel;
}

function piecesOf(kernel: Kernel, names: ReadonlySet<string>): Map<string, Piece | undefined> {
  const { picture, memory } = kernel;
  const collected = new Map([...names].sort().map((name) => [name, new Collected()] as const));
  for (const root of kernel.roots.names()) collected.get(pieceOfRoot(root))?.actor(kernel, root);
  for (const bucket of [...picture.buckets()].sort()) {
    for (const [key, entry] of picture.entries(bucket)) collected.get(pieceOf(bucket, key))?.entry(bucket, key, entry);
  }
  for (const [key, entry] of memory.shown) collected.get(pieceOf('', key))?.put('shown', key, entry);
  for (const [key, plan] of memory.plans) collected.get(pieceOf('', key))?.put('plans', key, plan);
  for (const [id, record] of memory.records) {
    const read = picture.entries(ASKS).get(id)?.value;
    collected.get(pieceOf(ASKS, id))?.put('records', id, read === record ? null : record);
  }
  for (const owed of memory.owed.values()) collected.get(pieceOfRoot(owed.owner))?.owe(owed, memory.refused.get(owed.id));
  return new Map([...collected].map(([name, piece]) => [name, piece.done()]));
}

function readAgain({ picture }: Kernel, { entries = {} }: Piece, at: number): void {
  for (const [bucket, of] of Object.entries(entries)) {
    for (const [key, entry] of Object.entries(of)) picture.apply({ type: 'entry', bucket, key, ...entry }, at);
  }
}

function bringBack({ picture, memory }: Kernel, { shown = {}, plans = {}, records = {}, owed = [], refused = {} }: Piece): void {
  for (const [key, entry] of Object.entries(shown)) memory.shown.set(key, entry);
  for (const [key, plan] of Object.entries(plans)) memory.plans.set(key, plan);
  for (const [id, record] of Object.entries(records)) {
    memory.records.set(id, record ?? (picture.entries(ASKS).get(id)?.value as AskRecord));
  }
  for (const { id, effect } of owed) {
    if (refused[id] !== undefined) memory.refused.set(id, { ...refused[id], effect });
  }
}

/** Effects in the order in which they were owed: `<journal seq>.<n>`. */
function byId({ id: one }: OwedEffect, { id: other }: OwedEffect): number {
  const [oneSeq = 0, oneN = 0] = one.split('.').map(Number);
  const [otherSeq = 0, otherN = 0] = other.split('.').map(Number);
  return oneSeq - otherSeq || oneN - otherN;
}
