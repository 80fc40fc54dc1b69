import type { AskRecord } from '../../bus/contracts/asks.ts';
import type { Applied } from '../ledger.ts';
import { Broken, type Checker, type Seen } from './checker.ts';

const ASKS = 'mesh-router_asks';
const ASKER = 'mesh-provisioner';

/** Never more than three asks of the seat stand open (A2). */
export function askBudget(): Checker {
  const promise = 'never more asks open than there are places';
  return {
    promise,
    applied({ bucket }, { ledger, settings }) {
      if (bucket !== ASKS) return;
      const open = ([...ledger.entries(ASKS)] as [string, AskRecord][]).filter(
        ([, { state, asker }]) => state === 'open' && asker === ASKER,
      );
      if (open.length > settings.asksOpenMax) throw new Broken(promise, `open: ${open.map(([id]) => id).join(', ')}`);
    },
  };
}

/** Nothing is asked while a read is missing (P1, P5). */
export function nothingAskedInTheDark(): Checker {
  const promise = 'nothing is asked while a read is missing';
  return {
    promise,
    sent({ subject, text }, by, { health }) {
      if (subject === undefined || !subject.startsWith('mesh-router.raise')) return;
      const gate = health(by)?.gate;
      if (gate !== undefined && !gate.open)
        throw new Broken(promise, `${text} though ${gate.missing.map(({ read }) => read).join(', ')} is missing`);
    },
  };
}

/** An ask of one id is never opened twice, and every one ends (A1, A2). */
export function everyAskEnds(): Checker {
  const promise = 'an ask is asked once, and ends';
  const ended = new Set<string>();
  return {
    promise,
    applied({ bucket, key, before, after, by }: Applied) {
      if (bucket !== ASKS || by === 'world') return;
      const [was, is] = [before, after] as (AskRecord | undefined)[];
      if (was !== undefined && was.state !== 'open' && is?.state === 'open') throw new Broken(promise, `${key} is opened again`);
      if (is?.state === 'ended') ended.add(key);
    },
    ended({ ledger }: Seen) {
      const open = ([...ledger.entries(ASKS)] as [string, AskRecord][]).filter(([, { state }]) => state === 'open');
      if (open.length > 0) throw new Broken(promise, `still open: ${open.map(([id]) => id).join(', ')}`);
    },
  };
}
