import type { Counts } from '../http/live/frames.ts';

/** The one language of states: each has a colour, a shape and its word, wherever it is shown. */
export type Shown = keyof Counts;

/** Worst first. */
export const STATES: readonly Shown[] = ['failed', 'retiring', 'held', 'judging', 'loading', 'provided'];

const SHAPES: Readonly<Record<Shown, string>> = {
  provided: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2z',
  judging: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zm0 2v8a4 4 0 0 0 0-8z',
  loading: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zm0 2a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
  held: 'M3 3h4v10H3zM9 3h4v10H9z',
  retiring: 'M8 1l7 7-7 7-7-7z',
  failed: 'M8 1.5L15.5 14.5H.5z',
};

/** A state's shape in its colour; its word always stands beside it. */
export function Shape({ state }: { state: Shown }) {
  return (
    <svg class={`shape ${state}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={SHAPES[state]} fill-rule="evenodd" />
    </svg>
  );
}
