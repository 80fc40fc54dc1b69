import type { Outcome } from '../../bus/contracts/bound.ts';
import type { Provision } from '../../bus/contracts/provisions.ts';
import { boundBucket } from '../../bus/contracts/tokens.ts';
import type { Applied } from '../ledger.ts';
import { Broken, type Checker } from './checker.ts';

const PROVISIONS = 'mesh-provisioner_provisions';
const PLANS = 'mesh-provisioner_plans';
/** The longest that a read may stand, wrong, before it is found out. */
const STALE_MS = 1_200_000;

const isRetiring = (value: unknown) => (value as Provision | undefined)?.state === 'retiring';

/** A key that is needed, or whose module is there and not whole, never retires (C2, C3). */
export function neededKeysStay(): Checker {
  const promise = 'no key retires that is needed, or whose module is not whole';
  return {
    promise,
    applied({ bucket, key, at, before, after }, { truth }) {
      if (bucket !== PROVISIONS || isRetiring(before) || !isRetiring(after)) return;
      const place = key.split('.', 2).join('.');
      const stood = (since: number | undefined) => since !== undefined && since <= at - STALE_MS;
      if (stood(truth.neededSince(key))) throw new Broken(promise, `${key} is needed since ${truth.neededSince(key)}`);
      if (stood(truth.unreadSince(place)) && stood(truth.thereSince(place)))
        throw new Broken(promise, `${place} is not whole since ${truth.unreadSince(place)}, and ${key} retires`);
    },
  };
}

/** Nothing retires that was needed within the dwell (B7); a moment that nobody could have seen does not count. */
export function dwellIsKept(): Checker {
  const promise = 'nothing retires before its dwell is over';
  return {
    promise,
    applied({ bucket, key, at, before, after }, { truth, settings }) {
      if (bucket !== PROVISIONS || isRetiring(before) || !isRetiring(after)) return;
      const last = truth.lastNeeded(key);
      if (last !== undefined && last.until - last.since > STALE_MS && at - last.until < settings.dwellMs)
        throw new Broken(promise, `${key} was needed until ${last.until}, and retires at ${at}`);
    },
  };
}

/** A key goes after a warrant and once its provider has let go, or where nobody ever provided it (K7). */
export function nothingIsLost(): Checker {
  const promise = 'no key goes without a warrant, nor before its provider has let go';
  return {
    promise,
    applied({ bucket, key, before, after, by }, { ledger }) {
      if (bucket !== PROVISIONS || after !== undefined || by === 'world') return;
      const was = before as Provision | undefined;
      const { node = '', module = '' } = was?.provider ?? {};
      const isThere = ledger.value('mesh-host_haves', `${node}.${module}`) !== undefined;
      if (isThere && ledger.value(boundBucket(module), key) !== undefined)
        throw new Broken(promise, `${key} went, and ${module} still has it`);
      if (was?.provider !== undefined && was.warrant === undefined) throw new Broken(promise, `${key} went as ${was.state}: ${was.why}`);
    },
  };
}

/** Never provided without an outcome of the present generation (K1). */
export function providedIsAnswered(): Checker {
  const promise = 'never provided without an outcome of the present generation';
  const provided = new Set<string>();
  const healthy = new Set<string>();
  return {
    promise,
    applied(write: Applied) {
      const { bucket, key, after } = write;
      const outcome = after as Outcome | undefined;
      if (bucket.endsWith('_bound') && outcome?.state === 'provided') provided.add(`${bucket} ${key} ${outcome.generation}`);
      if (bucket === 'mesh-host_haves' && (after as { state?: string } | undefined)?.state === 'healthy') healthy.add(key);
      if (bucket !== PROVISIONS) return;
      const is = after as Provision | undefined;
      if (is?.state !== 'provided') return;
      const { node = '', module = '' } = is.provider ?? {};
      if (provided.has(`${boundBucket(module)} ${key} ${is.generation}`)) return;
      const isBound = module !== 'cache';
      if (isBound || !healthy.has(`${node}.${module}`))
        throw new Broken(promise, `${key} is provided at ${is.generation}, of which ${module} said nothing`);
    },
  };
}

/** No plan goes while its module is there (C8). */
export function plansStay(): Checker {
  const promise = 'no plan goes while its module is there';
  return {
    promise,
    applied({ bucket, key, at, after, by }, { truth }) {
      if (bucket !== PLANS || after !== undefined || by === 'world') return;
      const since = truth.thereSince(key);
      if (since !== undefined && since <= at - STALE_MS) throw new Broken(promise, `the plan of ${key}, which is there since ${since}`);
    },
  };
}
