import { memo } from 'preact/compat';
import type { Tile } from '../../http/live/frames.ts';
import { linkTo } from '../address.ts';
import { Shape, STATES } from '../states.tsx';
import { rankOf } from './rank.ts';

interface Props {
  readonly tile: Tile;
  readonly isSelected: boolean;
  readonly place: number;
  readonly of: number;
}

/** A node: its name, and the states of its keys in proportion, with numbers. */
export const NodeTile = memo(function NodeTile({ tile, isSelected, place, of }: Props) {
  const { node, counts } = tile;
  const shown = [...STATES].reverse().filter((state) => counts[state] > 0);
  const keys = shown.reduce((sum, state) => sum + counts[state], 0);
  return (
    <li aria-setsize={of} aria-posinset={place + 1}>
      <a
        class={`tile rank-${rankOf(tile)}`}
        href={linkTo({ of: 'node', node })}
        aria-current={isSelected}
        aria-label={`${node}: ${standing(tile)}; ${shown.map((state) => `${counts[state]} ${state}`).join(', ') || 'no keys'}`}
      >
        <span class="tile-name">{node}</span>
        <span class="strip">
          {shown.map((state) => (
            <span key={state} class={`part ${state}`} style={{ flexGrow: counts[state] }}>
              <Shape state={state} />
              {counts[state]}
            </span>
          ))}
          {keys === 0 && <span class="part none">no keys</span>}
        </span>
        <span class="tile-says">{standing(tile)}</span>
      </a>
    </li>
  );
});

/** What there is to say of a node, the worst of it first. */
function standing({ faults, isBraked, counts, state, modules }: Tile): string {
  const says: string[] = [];
  if (isBraked) says.push('braked');
  if (counts.failed > 0) says.push(`${counts.failed} failed`);
  if (faults > 0) says.push(faults === 1 ? '1 fault' : `${faults} faults`);
  if (says.length > 0) return says.join(', ');
  if (state === undefined) return 'not judged yet';
  return modules.length === 1 ? `${state}, 1 module` : `${state}, ${modules.length} modules`;
}
