import { type Brake, latched } from './brake.ts';
import { type MeshTotals, NO_TOTALS, type NodeCounts, type Scope, scopeOf, scopesOver, sum, totalsOf } from './mesh-counts.ts';

/** What the supervisor remembers for the brake over the whole mesh. */
export interface Mesh {
  /** By `node.<node>`: what each node counts where it would take, takes or took anything, or a word lets something through. */
  readonly taking: Readonly<Record<string, NodeCounts>>;
  /** By `node.<node>`, and of all. */
  readonly presentOn: Readonly<Record<string, number>>;
  readonly present: number;
  /** How many consumers there were, for as long as the window remembers: each only until there are as many again. */
  readonly samples: readonly { readonly at: number; readonly present: number }[];
  /** By what they are over. */
  readonly brakes: Readonly<Record<string, Brake>>;
  /** One was released in this record: whoever waits, waits until every pass of it is heard. */
  readonly released: boolean;
}

export interface MeshSettings {
  readonly brakeWindowMs: number;
  readonly brakeSettleMs: number;
}

export const QUIET_MESH: Mesh = { taking: {}, presentOn: {}, present: 0, samples: [], brakes: {}, released: false };

/** Takes what a node counts now. */
export function withCounts(mesh: Mesh, node: string, counts: NodeCounts, at: number, { brakeWindowMs }: MeshSettings): Mesh {
  const name = nodeName(node);
  const before = mesh.presentOn[name] ?? 0;
  const present = mesh.present - before + counts.present;
  const { [name]: _before, ...others } = mesh.taking;
  return {
    ...mesh,
    taking: isTaking(counts) ? { ...others, [name]: counts } : others,
    presentOn: counts.present === before ? mesh.presentOn : { ...mesh.presentOn, [name]: counts.present },
    present,
    samples: [...mesh.samples.filter((sample) => sample.at > at - brakeWindowMs && sample.present > present), { at, present }],
  };
}

/** Decides anew which brakes stand, each as a node's own does (B5). */
export function braked(mesh: Mesh, at: number, { brakeWindowMs, brakeSettleMs }: MeshSettings): Mesh {
  const counted = Object.values(mesh.taking);
  const over = scopesOver(totalsIn(mesh, at, brakeWindowMs), mostOf(mesh, at, brakeWindowMs));
  const scopes = new Set<Scope>([...over, ...scopesIn(mesh)]);
  const brakes: Record<string, Brake> = {};
  for (const scope of [...scopes].sort()) {
    const newly = within(
      scope,
      counted.flatMap((counts) => counts.newly),
    ).sort();
    const wouldRetire =
      within(
        scope,
        counted.flatMap((counts) => counts.ready),
      ).length > 0;
    const brake = latched(mesh.brakes[scope], { at, newly, over: over.includes(scope), wouldRetire }, brakeSettleMs);
    if (brake !== undefined) brakes[scope] = isSameBrake(mesh.brakes[scope], brake) ? mesh.brakes[scope]! : brake;
  }
  const isSame = Object.keys({ ...mesh.brakes, ...brakes }).every((scope) => brakes[scope] === mesh.brakes[scope]);
  if (isSame) return mesh;
  return { ...mesh, brakes, released: mesh.released || scopesIn(mesh).some((scope) => brakes[scope] === undefined) };
}

/** What the mesh remembers, as if the time slept had not passed (P9). */
export function meshAfterSleep(mesh: Mesh, forMs: number): Mesh {
  const later = ({ calmSince, ...brake }: Brake): Brake => (calmSince === undefined ? brake : { ...brake, calmSince: calmSince + forMs });
  const remembered = (counts: NodeCounts): NodeCounts => ({ ...counts, retired: mapped(counts.retired, (at) => at + forMs) });
  return {
    ...mesh,
    taking: mapped(mesh.taking, remembered),
    samples: mesh.samples.map((sample) => ({ ...sample, at: sample.at + forMs })),
    brakes: mapped(mesh.brakes, later),
  };
}

/** Whether a brake of the mesh keeps a consumer from retiring; one that a word lets through is stopped by none (B1). */
export function isStoppedByMesh(mesh: Mesh, node: string, consumer: string): boolean {
  if (isLetThrough(mesh, node, consumer)) return false;
  return mesh.brakes.all !== undefined || mesh.brakes[scopeOf(consumer)] !== undefined;
}

export function isLetThrough({ taking }: Mesh, node: string, consumer: string): boolean {
  return taking[nodeName(node)]?.through.includes(consumer) === true;
}

/** When a brake that stands is to be looked at again, if no node counts anything else before. */
export function meshDeadlines({ brakes, taking }: Mesh, { brakeWindowMs, brakeSettleMs }: MeshSettings): readonly number[] {
  const standing = Object.values(brakes);
  if (standing.length === 0) return [];
  const calm = standing.flatMap(({ calmSince }) => (calmSince === undefined ? [] : [calmSince + brakeSettleMs]));
  const forgotten = Object.values(taking).flatMap(({ retired }) => Object.values(retired).map((at) => at + brakeWindowMs));
  return [...calm, ...forgotten];
}

/** The nodes that a brake of the mesh is about. */
export function nodesTaking({ taking }: Mesh): readonly string[] {
  return Object.keys(taking).map((name) => name.slice(nodeName('').length));
}

export function scopesIn({ brakes }: Mesh): readonly Scope[] {
  return Object.keys(brakes) as Scope[];
}

export function within(scope: Scope, consumers: readonly string[]): string[] {
  return consumers.filter((consumer) => scope === 'all' || scopeOf(consumer) === scope);
}

function totalsIn(mesh: Mesh, at: number, windowMs: number, but?: string): MeshTotals {
  let totals: MeshTotals = { ...NO_TOTALS, present: mesh.present };
  for (const [name, counts] of Object.entries(mesh.taking)) {
    if (but !== undefined && name === nodeName(but)) continue;
    totals = sum(totals, { ...totalsOf(counts, at - windowMs), present: 0 });
  }
  return but === undefined ? totals : { ...totals, present: totals.present - (mesh.presentOn[nodeName(but)] ?? 0) };
}

function mostOf({ samples, present }: Mesh, at: number, windowMs: number): number {
  return Math.max(present, ...samples.filter((sample) => sample.at > at - windowMs).map((sample) => sample.present));
}

function isTaking({ newly, retiring, retired, through }: NodeCounts): boolean {
  return newly.length + retiring.length + through.length + Object.keys(retired).length > 0;
}

function nodeName(node: string): string {
  return `node.${node}`;
}

function isSameBrake(before: Brake | undefined, now: Brake): boolean {
  return (
    before !== undefined &&
    before.calmSince === now.calmSince &&
    before.consumers.length === now.consumers.length &&
    before.consumers.every((consumer, index) => consumer === now.consumers[index])
  );
}

function mapped<A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
