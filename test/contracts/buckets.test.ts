import { describe, expect, it } from 'vitest';
import { buckets, bucketsOf, contractOf } from '../../src/bus/contracts/buckets.ts';
import { readEntry } from '../../src/bus/contracts/parse.ts';
import { boundBucket } from '../../src/bus/contracts/tokens.ts';
import { examples } from './examples.ts';

describe.each(Object.entries(examples))('%s', (bucket, { key, value }) => {
  it('takes an entry as the wire has it, and gives it back whole', () => {
    const entry = readEntry<string>(bucket, key, JSON.stringify(value));
    expect(entry).toEqual({ ok: true, names: expect.any(Array), value });
  });

  it('ignores fields that it does not know', () => {
    const entry = readEntry<string>(bucket, key, JSON.stringify({ ...value, aboutNothing: [1] }));
    expect(entry).toMatchObject({ ok: true, value });
    if (bucket !== 'mesh-provisioner_snapshots') expect(entry).not.toHaveProperty('value.aboutNothing');
  });

  it('refuses keys of fewer and of more tokens', () => {
    const [least, most] = contractOf(bucket).keys.tokens;
    const read = (tokens: number) => readEntry<string>(bucket, Array(tokens).fill('a').join('.'), JSON.stringify(value));
    for (let tokens = least; tokens <= most; tokens += 1) expect(read(tokens)).toMatchObject({ ok: true });
    expect(read(least - 1)).toMatchObject({ ok: false, because: 'out-of-shape' });
    expect(read(most + 1)).toMatchObject({ ok: false, because: 'out-of-shape' });
  });
});

describe('the buckets', () => {
  it('have an example each', () => {
    expect(Object.keys(buckets).every((bucket) => Object.hasOwn(examples, bucket))).toBe(true);
  });

  it('of a read are its own; of a provider, the one that bears its name', () => {
    expect(bucketsOf('placement')).toEqual(['mesh-placement_modules', 'mesh-placement_machines', 'mesh-placement_seats']);
    expect(bucketsOf('bound.route-adapter')).toEqual([boundBucket('route-adapter')]);
  });

  it('are those of this wire alone', () => {
    expect(() => contractOf('mesh-config_values')).toThrow(RangeError);
    expect(() => contractOf('constructor')).toThrow(RangeError);
  });
});
