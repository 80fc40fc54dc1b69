import type { Counts, Tile } from '../../http/live/frames.ts';
import { STATES } from '../states.tsx';

/** How bad a node stands, 0 the worst: a fault, then by the worst state that one of its keys is in. */
export function rankOf({ faults, isBraked, counts }: Tile): number {
  if (isBraked || faults > 0 || counts.failed > 0) return 0;
  const worst = STATES.findIndex((state) => counts[state] > 0);
  return worst === -1 ? STATES.length : worst;
}

export function worstFirst(tiles: Iterable<Tile>): Tile[] {
  const ranked = [...tiles].map((tile) => ({ tile, rank: rankOf(tile) }));
  ranked.sort((one, other) => one.rank - other.rank || compare(one.tile.node, other.tile.node));
  return ranked.map(({ tile }) => tile);
}

/** Words that name a state keep nodes with keys in it, `fault` and `braked` those with one; every other word a part of a node's or module's name. */
export function matching(tiles: readonly Tile[], filter: string): Tile[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const states = words.filter((word) => isStateWord(word));
  const names = words.filter((word) => !isStateWord(word));
  return tiles.filter(
    (tile) => (states.length === 0 || states.some((word) => isIn(tile, word))) && names.every((name) => isNamed(tile, name)),
  );
}

/** The filter with a word in it, or without it where it was. */
export function toggled(filter: string, word: string): string {
  const words = filter.split(/\s+/).filter((one) => one !== '');
  return words.includes(word) ? words.filter((one) => one !== word).join(' ') : [...words, word].join(' ');
}

export function totals(tiles: Iterable<Tile>): Counts {
  const sum = { loading: 0, judging: 0, provided: 0, held: 0, retiring: 0, failed: 0 };
  for (const { counts } of tiles) for (const state of STATES) sum[state] += counts[state];
  return sum;
}

function isStateWord(word: string): boolean {
  return (STATES as readonly string[]).includes(word) || word === 'fault' || word === 'braked';
}

function isIn(tile: Tile, word: string): boolean {
  if (word === 'fault') return tile.faults > 0;
  if (word === 'braked') return tile.isBraked;
  return tile.counts[word as keyof Counts] > 0;
}

function isNamed({ node, modules }: Tile, name: string): boolean {
  return node.toLowerCase().includes(name) || modules.some((module) => module.toLowerCase().includes(name));
}

function compare(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
