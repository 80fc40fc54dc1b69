import { amend, go, linkTo, useAddress } from '../address.ts';
import { Filter } from '../filter.tsx';
import { useKeys } from '../keyboard.ts';
import { Shape, STATES } from '../states.tsx';
import type { Mesh } from '../store.ts';
import { columnsOf, Grid } from './grid.tsx';
import { useOrder } from './order.ts';
import { matching, toggled, totals } from './rank.ts';
import { Verdict } from './verdict.tsx';

/** Every node, problems first. */
export function MeshView({ mesh }: { mesh: Mesh }) {
  const { filter, selected } = useAddress();
  const order = useOrder(mesh.tiles);
  const tiles = matching(order, filter);
  const sum = totals(mesh.tiles.values());
  const keys = STATES.reduce((all, state) => all + sum[state], 0);

  const move = (by: number) => {
    const at = tiles.findIndex(({ node }) => node === selected);
    const next = tiles[Math.min(tiles.length - 1, Math.max(0, at === -1 ? 0 : at + by))];
    if (next !== undefined) amend({ selected: next.node });
  };
  const row = () => columnsOf(document.querySelector('.grid')?.clientWidth ?? 0);
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(row()),
    ArrowUp: () => move(-row()),
    ArrowRight: () => move(1),
    ArrowLeft: () => move(-1),
    Enter: () => selected !== '' && go(linkTo({ of: 'node', node: selected })),
  });

  return (
    <>
      <h1 class="unseen">Mesh</h1>
      <Verdict head={mesh.head} keys={keys} nodes={mesh.tiles.size} />
      {mesh.tiles.size === 0 ? (
        <Nothing isOpen={mesh.head.gate.open} />
      ) : (
        <>
          <div class="tools">
            <Filter label="Filter nodes" hint="node, module or state" />
            <fieldset class="legend">
              <legend class="unseen">Keys by state; each is a filter</legend>
              {[...STATES].reverse().map((state) => (
                <button
                  key={state}
                  type="button"
                  class={`chip ${state}`}
                  aria-pressed={filter.split(/\s+/).includes(state)}
                  onClick={() => amend({ filter: toggled(filter, state) })}
                >
                  <Shape state={state} />
                  {state} <b>{sum[state]}</b>
                </button>
              ))}
            </fieldset>
          </div>
          {tiles.length === 0 ? (
            <p class="nothing">
              No node matches “{filter}”.{' '}
              <button type="button" class="plain" onClick={() => amend({ filter: '' })}>
                Show all {mesh.tiles.size}
              </button>
            </p>
          ) : (
            <Grid tiles={tiles} selected={selected} />
          )}
        </>
      )}
    </>
  );
}

function Nothing({ isOpen }: { isOpen: boolean }) {
  return (
    <div class="nothing">
      <h2>{isOpen ? 'This mesh is empty' : 'No node is known yet'}</h2>
      <p>{isOpen ? 'No module is placed, wanted or had on any node.' : 'Nodes appear here as the reads bring them.'}</p>
      {isOpen && (
        <p>
          Publish a mesh folder: <code>mesh-provisioner apply examples/two-nodes</code>
        </p>
      )}
    </div>
  );
}
