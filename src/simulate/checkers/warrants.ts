import type { AskRecord } from '../../bus/contracts/asks.ts';
import type { Provision } from '../../bus/contracts/provisions.ts';
import { Broken, type Checker } from './checker.ts';

const PROVISIONS = 'mesh-provisioner_provisions';
const ASKS = 'mesh-router_asks';
/** What is on its way when the last look is taken. */
const WAY_MS = 20_000;

/** No warrant without an Approve of that generation's ask, and each is spent once (A4). */
export function warrantsAreAnswers(): Checker {
  const promise = 'no warrant without an Approve of its own generation';
  const approved = new Set<string>();
  const spent = new Map<string, string>();
  return {
    promise,
    applied({ bucket, key, before, after }) {
      if (bucket === ASKS && (after as AskRecord | undefined)?.answer === 'Approve') approved.add(`${key} ${(after as AskRecord).subject}`);
      if (bucket !== PROVISIONS) return;
      const is = after as Provision | undefined;
      if (is?.warrant === undefined) return;
      const { ask, generation } = is.warrant;
      if (generation !== is.generation) throw new Broken(promise, `${key} is at ${is.generation}, its warrant at ${generation}`);
      if (!approved.has(`${ask} ${key}`)) throw new Broken(promise, `${key} has a warrant of ${ask}, which nobody approved`);
      if ((before as Provision | undefined)?.warrant?.ask === ask) return;
      const at = spent.get(ask);
      if (at !== undefined && at !== `${key} ${generation}`)
        throw new Broken(promise, `${ask} is spent twice: ${at}, then ${key} ${generation}`);
      spent.set(ask, `${key} ${generation}`);
    },
  };
}

/** A warrant is never written for a key that is needed all the while it is proved (A5). */
export function warrantsAreProved(): Checker {
  const promise = 'no warrant for what is needed';
  return {
    promise,
    applied({ bucket, key, at, before, after }, { truth }) {
      if (bucket !== PROVISIONS) return;
      const is = after as Provision | undefined;
      if (is?.warrant === undefined || (before as Provision | undefined)?.warrant !== undefined) return;
      const since = truth.neededSince(key);
      if (since !== undefined && since <= at - WAY_MS)
        throw new Broken(promise, `${key} is needed since ${since}, its warrant is written at ${at}`);
    },
  };
}
