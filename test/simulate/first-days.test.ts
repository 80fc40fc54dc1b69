import { describe, expect, it } from 'vitest';
import { DAYS, expectKept, live } from './days.ts';
import { regressions } from './regressions.ts';

describe('simulated days, the first half', () => {
  it('the same seed lives the same day, to the byte', async () => {
    const [one, other] = [await live(7, 1), await live(7, 1)];
    expect(one.writes).toBeGreaterThan(500);
    expect(one.digests).toEqual(other.digests);
    expect((await live(8, 1)).digests).not.toEqual(one.digests);
  });

  it.each([...regressions])('what once broke a promise no longer does: $says', async ({ seed, only }) => {
    expectKept(await live(seed, 1, only));
  });

  it('keeps every promise', { timeout: 3_600_000 }, async () => {
    expectKept(await live(1, Math.ceil(DAYS / 2)));
  });
});
