import { afterEach, beforeEach } from 'vitest';

const RealDate = Date;
const random = Math.random;

/** While a machine test runs, clock and randomness throw: a machine takes the time and its ids from its facts (E1). */
class NoClock extends RealDate {
  constructor(...time: [] | [number | string | Date]) {
    if (time.length === 0) refuse('new Date()');
    super(...(time as [number]));
  }
  static override now(): number {
    return refuse('Date.now()');
  }
}

beforeEach(() => {
  globalThis.Date = NoClock as DateConstructor;
  Math.random = () => refuse('Math.random()');
});

afterEach(() => {
  globalThis.Date = RealDate;
  Math.random = random;
});

function refuse(what: string): never {
  throw new Error(`a machine test called ${what}`);
}
