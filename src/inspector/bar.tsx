import type { ComponentChildren } from 'preact';
import { linkTo, useAddress } from './address.ts';
import { Shape, type Shown } from './states.tsx';
import type { Link, Mesh } from './store.ts';
import { Ago, moment } from './time.tsx';

/** Always there: gate, brakes, asks, the holder, the bus, and whether this is the present. Everything in it leads to its reason. */
export function Bar({ mesh, link, past }: { mesh: Mesh | undefined; link: Link; past: number | undefined }) {
  const { view } = useAddress();
  const place = (of: 'mesh' | 'asks' | 'log', word: string) => (
    <a href={linkTo({ of })} aria-current={view.of === of ? 'page' : undefined}>
      {word}
    </a>
  );
  return (
    <header class="bar">
      <nav aria-label="Views">
        {place('mesh', 'Mesh')}
        {place('asks', 'Asks')}
        {place('log', 'Log')}
      </nav>
      {mesh !== undefined && <Standing mesh={mesh} />}
      <Presence link={link} past={past} />
    </header>
  );
}

function Standing({ mesh: { head } }: { mesh: Mesh }) {
  const { gate, faults, faultsTotal, asks, waitingTotal, oldestWaiting, seat, bus } = head;
  const brakes = faults.filter(({ kind }) => kind === 'brake' || kind === 'mesh-brake');
  const oldest = [...asks.open.map(({ raisedAt }) => raisedAt), ...(oldestWaiting === undefined ? [] : [oldestWaiting])].sort()[0];
  return (
    <ul class="standing">
      <Item shape={gate.open ? 'provided' : 'failed'} to={linkTo({ of: 'gate' })}>
        {gate.open ? 'Gate open' : `Gate shut: ${gate.missing.length} of ${gate.reads} reads missing`}
      </Item>
      {brakes.length > 0 && (
        <Item shape="failed" to={linkTo({ of: 'faults' }, { filter: 'brake' })}>
          {brakes.length === 1 ? `Braked: ${brakes[0]?.node ?? 'the mesh'}` : `${brakes.length} brakes`}
          {brakes[0] !== undefined && (
            <>
              {' '}
              <Ago at={brakes[0].since} />
            </>
          )}
        </Item>
      )}
      {faultsTotal > brakes.length && (
        <Item shape="failed" to={linkTo({ of: 'faults' })}>
          {faultsTotal - brakes.length === 1 ? '1 fault' : `${faultsTotal - brakes.length} faults`}
        </Item>
      )}
      <Item shape={asks.open.length + waitingTotal > 0 ? 'retiring' : 'provided'} to={linkTo({ of: 'asks' })}>
        {asks.open.length + waitingTotal === 0 ? 'No asks' : `Asks: ${asks.open.length} open, ${waitingTotal} waiting`}
        {oldest !== undefined && (
          <>
            , oldest <Ago at={oldest} />
          </>
        )}
      </Item>
      <li class="quiet">
        <a href={linkTo({ of: 'log' }, { filter: 'seat-taken' })}>
          Held by {seat.instance}, epoch {seat.epoch}
        </a>
      </li>
      <li class="quiet">
        <a href={linkTo({ of: 'gate' })}>{bus}</a>
      </li>
    </ul>
  );
}

function Item({ shape, to, children }: { shape: Shown; to: string; children: ComponentChildren }) {
  return (
    <li>
      <a href={to}>
        <Shape state={shape} />
        <span>{children}</span>
      </a>
    </li>
  );
}

function Presence({ link, past }: { link: Link; past: number | undefined }) {
  return (
    <p class={`presence ${past === undefined ? link.is : 'past'}`} role="status">
      {past !== undefined ? `As it was at ${moment(past)}` : link.is === 'live' ? 'Live' : link.is === 'opening' ? 'Opening' : 'Not live'}
    </p>
  );
}
