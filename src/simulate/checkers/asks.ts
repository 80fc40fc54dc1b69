import type { AskRecord } from '../../bus/contracts/asks.ts';
import type { Provision } from '../../bus/contracts/provisions.ts';
import type { Applied } from '../ledger.ts';
import { Broken, type Checker, type Seen } from './checker.ts';

const ASKS = 'mesh-router_asks';
const ASKER = 'mesh-provisioner';

/** Never more than three asks of the seat stand open (A2). */
export function askBudget(): Checker {
  const promise = 'never more asks open than there are places';
  const openAsks = ({ ledger }: Seen) =>
    ([...ledger.entries(ASKS)] as [string, AskRecord][]).filter(([, { state, asker }]) => state === 'open' && asker === ASKER);
  return {
    promise,
    applied({ bucket }, seen) {
      if (bucket !== ASKS) return;
      const open = openAsks(seen);
      if (open.length > seen.settings.asksOpenMax) throw new Broken(promise, `open: ${open.map(([id]) => id).join(', ')}`);
    },
    sent({ subject, text = '{}' }, _, seen) {
      if (!isRaise(subject)) return;
      const { id } = JSON.parse(text) as { id: string };
      const open = openAsks(seen).filter(([one]) => one !== id);
      if (open.length >= seen.settings.asksOpenMax)
        throw new Broken(promise, `${id} is raised beside ${open.map(([one]) => one).join(', ')}`);
    },
  };
}

/** Nothing is asked while a read is missing (P1, P5). */
export function nothingAskedInTheDark(): Checker {
  const promise = 'nothing is asked while a read is missing';
  return {
    promise,
    sent({ subject, text }, by, { health }) {
      if (!isRaise(subject)) return;
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
    /** Before anybody answers: what is open belongs to a key that retires. */
    calmed({ ledger }: Seen) {
      for (const [id, { state, subject }] of [...ledger.entries(ASKS)] as [string, AskRecord][]) {
        const key = ledger.value('mesh-provisioner_provisions', subject) as Provision | undefined;
        if (state === 'open' && key?.state !== 'retiring')
          throw new Broken(promise, `${id} is open, and ${subject} is ${key?.state ?? 'gone'}`);
      }
    },
    ended({ ledger }: Seen) {
      const open = ([...ledger.entries(ASKS)] as [string, AskRecord][]).filter(([, { state }]) => state === 'open');
      if (open.length > 0) throw new Broken(promise, `still open: ${open.map(([id]) => id).join(', ')}`);
    },
  };
}

/** What the operator keeps is not asked again for that generation (A6). */
export function keptIsKept(): Checker {
  const promise = 'what is kept does not retire at that generation';
  const kept = new Set<string>();
  return {
    promise,
    applied({ bucket, key, after }) {
      const is = after as Provision | undefined;
      if (bucket !== 'mesh-provisioner_provisions' || is === undefined) return;
      if (is.detail === 'kept') kept.add(`${key} ${is.generation}`);
      if (is.state === 'retiring' && kept.has(`${key} ${is.generation}`)) throw new Broken(promise, `${key} at ${is.generation}`);
    },
  };
}

function isRaise(subject: string | undefined): boolean {
  return subject?.startsWith('mesh-router.raise') === true;
}
