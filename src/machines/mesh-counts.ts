import { isMoreThanHalf } from './brake.ts';

/** What a pass of one node counts for the brake over the whole mesh (B4): consumers, `<node>.<module>` each. */
export interface NodeCounts {
  /** How many it has: those held, kept, or let through by a word count on no side. */
  readonly present: number;
  /** Every one that would newly retire, those still dwelling too (B7). */
  readonly newly: readonly string[];
  /** Those of them whose dwell has ended. */
  readonly ready: readonly string[];
  readonly retiring: readonly string[];
  /** When each one that is gone was retired; the window forgets it (B3). */
  readonly retired: Readonly<Record<string, number>>;
  /** Those of all these that have no needed key left. */
  readonly left: readonly string[];
  /** Those that a word of the operator lets through. */
  readonly through: readonly string[];
}

/** The counts of several nodes as one. */
export interface MeshTotals {
  readonly present: number;
  readonly gone: number;
  readonly newly: number;
  /** Those that would newly retire, and those that retire or retired within the window. */
  readonly taken: number;
  /** How many nodes these are on. */
  readonly nodes: number;
  /** By module, as a key's token has it: how many of it would newly retire, and on how many nodes none of its keys is needed. */
  readonly modules: Readonly<Record<string, { readonly newly: number; readonly nodes: number }>>;
}

/** A module that is left with no needed key on so many nodes is braked everywhere. */
const NODES_MIN = 3;

/** What a brake of the mesh is over: all of it, or one module wherever it is. */
export type Scope = 'all' | `module.${string}`;

export const NOTHING_COUNTED: NodeCounts = { present: 0, newly: [], ready: [], retiring: [], retired: {}, left: [], through: [] };
export const NO_TOTALS: MeshTotals = { present: 0, gone: 0, newly: 0, taken: 0, nodes: 0, modules: {} };

export function scopeOf(consumer: string): Scope {
  return `module.${consumer.split('.')[1] ?? ''}`;
}

export function totalsOf(counts: NodeCounts, after: number): MeshTotals {
  const gone = Object.keys(counts.retired).filter((consumer) => counts.retired[consumer]! > after);
  const taken = new Set([...counts.newly, ...counts.retiring, ...gone]);
  const modules: Record<string, { newly: number; nodes: number }> = {};
  for (const consumer of taken) {
    modules[scopeOf(consumer)] = {
      newly: counts.newly.includes(consumer) ? 1 : 0,
      nodes: counts.left.includes(consumer) ? 1 : 0,
    };
  }
  return {
    present: counts.present,
    gone: gone.length,
    newly: counts.newly.length,
    taken: taken.size,
    nodes: taken.size === 0 ? 0 : 1,
    modules,
  };
}

export function sum(one: MeshTotals, other: MeshTotals): MeshTotals {
  const modules = { ...one.modules };
  for (const [scope, { newly, nodes }] of Object.entries(other.modules)) {
    const before = modules[scope];
    modules[scope] = before === undefined ? { newly, nodes } : { newly: before.newly + newly, nodes: before.nodes + nodes };
  }
  return {
    present: one.present + other.present,
    gone: one.gone + other.gone,
    newly: one.newly + other.newly,
    taken: one.taken + other.taken,
    nodes: one.nodes + other.nodes,
    modules,
  };
}

/**
 * Where too much would go at once: of all, more than half of the consumers and at least 2, on at least 2 nodes; of one module, wherever it is
 * left with no needed key on 3 nodes or more (B4). Nothing where nothing would newly retire. A pass and the supervisor decide by it alike.
 *
 * @param most the most consumers the mesh had in the window
 */
export function scopesOver(totals: MeshTotals, most: number): readonly Scope[] {
  if (totals.newly === 0) return [];
  const population = Math.min(totals.present + totals.gone, most);
  const isAll = totals.nodes >= 2 && isMoreThanHalf(totals.taken, population);
  const modules = Object.entries(totals.modules).filter(([, { newly, nodes }]) => newly > 0 && nodes >= NODES_MIN);
  return [...(isAll ? (['all'] as const) : []), ...modules.map(([scope]) => scope as Scope)];
}
