import { useEffect, useRef, useState } from 'preact/hooks';
import type { Tile } from '../../http/live/frames.ts';
import { NodeTile } from './tile.tsx';

const TILE_WIDTH_LEAST = 216;
const ROW_HEIGHT = 104;
const GAP = 8;
const ROWS_BEYOND = 3;

interface Seen {
  readonly columns: number;
  readonly from: number;
  readonly rows: number;
}

/** Tiles of one size; of a thousand, those that are seen are drawn. */
export function Grid({ tiles, selected }: { tiles: readonly Tile[]; selected: string }) {
  const frame = useRef<HTMLUListElement>(null);
  const [seen, setSeen] = useState<Seen>({ columns: 1, from: 0, rows: 40 });
  useEffect(() => {
    const look = () => {
      if (frame.current === null) return;
      const next = seenOf(frame.current);
      setSeen((before) => (before.columns === next.columns && before.from === next.from && before.rows === next.rows ? before : next));
    };
    look();
    const watch = new ResizeObserver(look);
    watch.observe(document.body);
    addEventListener('scroll', look, { passive: true });
    return () => {
      watch.disconnect();
      removeEventListener('scroll', look);
    };
  }, []);

  const at = tiles.findIndex(({ node }) => node === selected);
  useEffect(() => {
    if (at >= 0 && frame.current !== null) bringIntoView(frame.current, Math.floor(at / seen.columns));
  }, [selected]);

  const rows = Math.ceil(tiles.length / seen.columns);
  const first = Math.min(seen.from, Math.max(0, rows - seen.rows));
  const drawn = tiles.slice(first * seen.columns, (first + seen.rows) * seen.columns);
  const before = first * ROW_HEIGHT;
  const after = Math.max(0, rows - first - seen.rows) * ROW_HEIGHT;
  return (
    <ul
      ref={frame}
      class="grid"
      aria-label={`${tiles.length} nodes, problems first`}
      style={{ gridTemplateColumns: `repeat(${seen.columns}, minmax(0, 1fr))`, paddingTop: `${before}px`, paddingBottom: `${after}px` }}
    >
      {drawn.map((tile, place) => (
        <NodeTile key={tile.node} tile={tile} isSelected={tile.node === selected} place={first * seen.columns + place} of={tiles.length} />
      ))}
    </ul>
  );
}

export function columnsOf(width: number): number {
  return Math.max(1, Math.floor((width + GAP) / (TILE_WIDTH_LEAST + GAP)));
}

function seenOf(frame: HTMLElement): Seen {
  const { top, width } = frame.getBoundingClientRect();
  const from = Math.max(0, Math.floor(-top / ROW_HEIGHT) - ROWS_BEYOND);
  return { columns: columnsOf(width), from, rows: Math.ceil(innerHeight / ROW_HEIGHT) + 2 * ROWS_BEYOND };
}

function bringIntoView(frame: HTMLElement, row: number): void {
  const top = frame.getBoundingClientRect().top + row * ROW_HEIGHT;
  const bar = document.querySelector('.bar')?.getBoundingClientRect().bottom ?? 0;
  if (top < bar + GAP) scrollBy(0, top - bar - GAP);
  else if (top + ROW_HEIGHT > innerHeight) scrollBy(0, top + ROW_HEIGHT - innerHeight);
}
