import { useRef } from 'preact/hooks';
import type { Tile } from '../../http/live/frames.ts';
import { rankOf, worstFirst } from './rank.ts';

/** Tiles change places this often at most, but for one that turns into a problem: a page that is read must not jump about. */
const SETTLED_MS = 2_000;

/** The nodes in their order, worst first, each as it stands now. */
export function useOrder(tiles: ReadonlyMap<string, Tile>): Tile[] {
  const kept = useRef<{ order: readonly string[]; at: number; problems: ReadonlySet<string> }>({ order: [], at: 0, problems: new Set() });
  const { order, at, problems } = kept.current;
  const isSettled = performance.now() - at < SETTLED_MS;
  const isSame = order.length === tiles.size && order.every((node) => tiles.has(node));
  const hasNew = [...tiles.values()].some((tile) => rankOf(tile) === 0 && !problems.has(tile.node));
  if (isSettled && isSame && !hasNew) return order.map((node) => tiles.get(node)!);
  const sorted = worstFirst(tiles.values());
  kept.current = {
    order: sorted.map(({ node }) => node),
    at: performance.now(),
    problems: new Set(sorted.filter((tile) => rankOf(tile) === 0).map(({ node }) => node)),
  };
  return sorted;
}
