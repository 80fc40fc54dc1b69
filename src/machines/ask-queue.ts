import { consumerOf } from './candidate.ts';
import { isLetThrough, isStoppedByMesh, type Mesh } from './mesh-brake.ts';
import type { Question, RecordSeen } from './supervisor-events.ts';

/** An ask that waits for one of the places at the router, in order of arrival (A2). */
export interface WaitingAsk {
  readonly ask: Question;
  readonly since: number;
  readonly why: string;
  /** How often the router refused it, and when it may be tried again. */
  readonly refusals: number;
  readonly tryAt: number;
}

/** An ask that has a place: what its supervisor must know of it to keep the time (A3). */
export interface PlacedAsk {
  readonly ask: Question;
  readonly since: number;
  readonly raisedAt: number;
  /** How often it was raised again since the router last held a record of it. */
  readonly raisedAgain: number;
  readonly refusals: number;
  /** Whether the router holds its record, and if not, since when it is known to hold none. */
  readonly held: boolean;
  readonly lostAt: number;
  readonly ending: boolean;
}

export interface Queue {
  readonly settings: { readonly asksOpenMax: number; readonly askRecordMs: number };
  readonly waiting: readonly WaitingAsk[];
  /** By `ask.<id>`, as are the records. */
  readonly places: Readonly<Record<string, PlacedAsk>>;
  readonly records: Readonly<Record<string, RecordSeen>>;
  /** By `node.<node>`: one that was just released counts as braked until its whole pass is heard. */
  readonly braked: Readonly<Record<string, 'braked' | 'just released'>>;
  /** The brake over the whole mesh (B4). */
  readonly mesh: Mesh;
  /** Since when the router's asks have been loaded. */
  readonly routerLoadedAt: number;
}

const REFUSED_RETRY_MS = 5_000;
const BACK_OFF_MAX_MS = 900_000;

/** Names that others choose are never a bare key of a collection. */
export function placeOf(id: string): string {
  return `ask.${id}`;
}

export function brakeOf(node: string): string {
  return `node.${node}`;
}

/** The time at which an ask that was just refused may be tried again. */
export function tryAgainAt(at: number, refusals: number): number {
  return at + backOff(REFUSED_RETRY_MS, refusals - 1);
}

/** Places that are free: whatever stands open at the router takes one, though it belongs to no key. */
export function freePlaces(queue: Queue): number {
  const taken = new Set(Object.keys(queue.places));
  for (const [place, { state }] of Object.entries(queue.records)) if (state === 'open') taken.add(place);
  return Math.max(0, queue.settings.asksOpenMax - taken.size);
}

/** The asks whose turn it is, in order: none of a braked node, and none that was refused just now. */
export function nextAsks(queue: Queue, at: number): readonly WaitingAsk[] {
  const free = freePlaces(queue);
  const next: WaitingAsk[] = [];
  for (const waiting of queue.waiting) {
    if (next.length >= free) break;
    if (waiting.tryAt <= at && !isBraked(queue, waiting.ask)) next.push(waiting);
  }
  return next;
}

/** The asks of which a loaded router has held no record for too long (A3). */
export function unrecordedAsks(queue: Queue, at: number): readonly PlacedAsk[] {
  return Object.values(queue.places).filter((placed) => awaitsRecord(queue, placed) && recordDue(queue, placed) <= at);
}

/** When an ask is next to be raised, or raised again, if nothing happens before. */
export function nextAskAt(queue: Queue, at: number): number | undefined {
  const unrecorded = Object.values(queue.places).filter((placed) => awaitsRecord(queue, placed));
  const refused = freePlaces(queue) === 0 ? [] : queue.waiting.filter(({ ask }) => !isBraked(queue, ask));
  return earliest([...unrecorded.map((placed) => recordDue(queue, placed)), ...refused.map(({ tryAt }) => tryAt)], at);
}

/** The earliest of these times that is still to come. */
export function earliest(times: readonly number[], after: number): number | undefined {
  let first: number | undefined;
  for (const time of times) if (time > after && (first === undefined || time < first)) first = time;
  return first;
}

function awaitsRecord(queue: Queue, placed: PlacedAsk): boolean {
  return !placed.held && !placed.ending && !isBraked(queue, placed.ask);
}

function recordDue(queue: Queue, { raisedAt, lostAt, raisedAgain }: PlacedAsk): number {
  return Math.max(raisedAt, lostAt, queue.routerLoadedAt) + backOff(queue.settings.askRecordMs, raisedAgain);
}

/** What a word of the operator lets through is stopped by no brake (B1). */
function isBraked({ braked, mesh }: Queue, { node, key }: Question): boolean {
  const consumer = consumerOf(key);
  if (isLetThrough(mesh, node, consumer)) return false;
  return braked[brakeOf(node)] !== undefined || mesh.released || isStoppedByMesh(mesh, node, consumer);
}

function backOff(firstMs: number, times: number): number {
  return Math.max(firstMs, Math.min(firstMs * 2 ** times, BACK_OFF_MAX_MS));
}
