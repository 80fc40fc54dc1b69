import type { Head } from '../../http/live/frames.ts';
import { linkTo } from '../address.ts';
import { Shape, type Shown } from '../states.tsx';
import { Ago } from '../time.tsx';

/** In three seconds: is anything wrong, does anything wait for me. Each line leads to its reason. */
export function Verdict({ head, keys, nodes }: { head: Head; keys: number; nodes: number }) {
  const { gate, faults, faultsTotal, asks, waitingTotal } = head;
  const brakes = faults.filter(({ kind }) => kind === 'brake' || kind === 'mesh-brake');
  const others = faultsTotal - brakes.length;
  const open = asks.open.length;
  return (
    <ul class="verdict">
      {!gate.open && (
        <Line shape="failed" to={linkTo({ of: 'gate' })}>
          The gate is shut: {gate.missing.length} of {gate.reads} reads missing. Nothing is judged, and nothing is taken.
        </Line>
      )}
      {brakes.map((fault) => (
        <Line key={fault.says} shape="failed" to={linkTo({ of: 'faults' })}>
          {fault.says} <Ago at={fault.since} />
        </Line>
      ))}
      {others > 0 && (
        <Line shape="failed" to={linkTo({ of: 'faults' })}>
          {others === 1 ? (faults.find((fault) => !brakes.includes(fault))?.says ?? '1 fault') : `${others} faults`}
        </Line>
      )}
      {open + waitingTotal > 0 && (
        <Line shape="retiring" to={linkTo({ of: 'asks' })}>
          {open === 1 ? '1 ask waits for your answer' : `${open} asks wait for your answer`}
          {waitingTotal > 0 && `, ${waitingTotal} more wait for their turn`}
        </Line>
      )}
      {gate.open && faultsTotal === 0 && open + waitingTotal === 0 && (
        <Line shape="provided">
          {nodes === 0
            ? 'Nothing is wrong, and nothing is placed yet.'
            : `Nothing is wrong and nothing waits for you: ${keys} keys on ${nodes} nodes.`}
        </Line>
      )}
    </ul>
  );
}

function Line({ shape, to, children }: { shape: Shown; to?: string; children: preact.ComponentChildren }) {
  return (
    <li>
      <Shape state={shape} />
      {to === undefined ? <span>{children}</span> : <a href={to}>{children}</a>}
    </li>
  );
}
