import { describe, expect, it } from 'vitest';
import {
  type Images,
  isAnySuspect,
  leastBelieved,
  suspectEntries,
  withAccepted,
  withEntries,
  withLoad,
} from '../../src/machines/images.ts';

const BUCKET = 'mesh-indexer_modules';
const after = { since: 0, why: 'the watch ended' };
const load = (images: Images, entries: number, created = 'one') =>
  withLoad(images, 'modules', [{ bucket: BUCKET, created, entries }], after);
const believed = (entries: number) => load({}, entries);

describe('P7 a load is suspect', () => {
  it.each([
    [0, 0],
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 3],
    [5, 3],
    [6, 4],
    [36, 19],
  ])('of %i entries before, from under %i on: none where one was, half or fewer and at least 2 fewer', (before, least) => {
    expect(leastBelieved(believed(before)[BUCKET]!, 'one')).toBe(least);
    for (let now = 0; now <= before; now += 1) {
      const tooFew = (now === 0 && before > 0) || (now * 2 <= before && before - now >= 2);
      expect([now, isAnySuspect(load(believed(before), now))]).toEqual([now, tooFew]);
    }
  });

  it('of another stream with fewer entries, until it is back', () => {
    const suspect = load(believed(6), 5, 'two');
    expect(isAnySuspect(suspect)).toBe(true);
    expect(isAnySuspect(withEntries(suspect, BUCKET, 6))).toBe(false);
    expect(isAnySuspect(load(believed(6), 6, 'two'))).toBe(false);
  });

  it('and is compared again with what was last believed, not with itself', () => {
    const suspect = load(load(believed(6), 3), 3);
    expect(isAnySuspect(suspect)).toBe(true);
    expect(isAnySuspect(withEntries(suspect, BUCKET, 4))).toBe(false);
  });

  it('until the operator accepts it: then it is what the next one is compared with', () => {
    const accepted = withAccepted(load(believed(36), 15), 'modules');
    expect(isAnySuspect(accepted)).toBe(false);
    expect(isAnySuspect(load(accepted, 8))).toBe(false);
    expect(isAnySuspect(load(accepted, 7))).toBe(true);
  });

  it('bucket by bucket', () => {
    const of = (modules: number, seats: number): Parameters<typeof withLoad> => [
      {},
      'placement',
      [
        { bucket: 'mesh-placement_modules', created: 'one', entries: modules },
        { bucket: 'mesh-placement_seats', created: 'one', entries: seats },
      ],
      after,
    ];
    const [, read, streams] = of(9, 0);
    const now = withLoad(withLoad(...of(9, 1)), read, streams, after);
    expect(isAnySuspect(now)).toBe(true);
    expect(suspectEntries(now, 'placement')).toBe(0);
  });

  it('never of what is answered otherwise', () => {
    const asks = (images: Images, entries: number) =>
      withLoad(images, 'asks', [{ bucket: 'mesh-router_asks', created: 'one', entries }], after);
    expect(asks(asks({}, 9), 0)).toEqual({});
  });
});

it('P7 what is deleted live is no load: the next one is compared with what was left', () => {
  const left = withEntries(withEntries(believed(3), BUCKET, 2), BUCKET, 0);
  expect(isAnySuspect(left)).toBe(false);
  expect(isAnySuspect(load(left, 0))).toBe(false);
});
