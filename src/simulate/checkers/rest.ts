import type { Provision } from '../../bus/contracts/provisions.ts';
import { Broken, type Checker } from './checker.ts';

const PROVISIONS = 'mesh-provisioner_provisions';
const PLANS = 'mesh-provisioner_plans';

/** Once the picture is whole and still, every needed key is provided, and nothing else stands but what the operator kept (C9). */
export function comesToRest(): Checker {
  const promise = 'a whole and still picture comes to what it needs';
  return {
    promise,
    ended({ ledger, truth }) {
      const entries = ledger.entries(PROVISIONS) as ReadonlyMap<string, Provision>;
      const needed = truth.neededKeys();
      for (const key of needed) {
        const entry = entries.get(key);
        if (entry?.state !== 'provided')
          throw new Broken(promise, `${key} is ${entry === undefined ? 'not there' : `${entry.state}: ${entry.why}`}`);
      }
      for (const [key, entry] of entries)
        if (!needed.includes(key) && entry.detail !== 'kept')
          throw new Broken(promise, `${key} is ${entry.state}, and not needed: ${entry.why}`);
      const wanted = [...ledger.entries('mesh-controller_wants').keys()].sort();
      const planned = [...ledger.entries(PLANS).keys()].sort();
      const missing = wanted.filter((place) => !planned.includes(place));
      if (missing.length > 0) throw new Broken(promise, `no plan of ${missing.join(', ')}`);
    },
  };
}
