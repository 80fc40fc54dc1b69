import { describe, it } from 'vitest';
import { DAYS, expectKept, live } from './days.ts';

describe('simulated days, the second half', () => {
  it('keeps every promise', { timeout: 3_600_000 }, async () => {
    expectKept(await live(1 + Math.ceil(DAYS / 2), Math.floor(DAYS / 2)));
  });
});
