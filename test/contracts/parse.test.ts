import { describe, expect, it } from 'vitest';
import { ENTRY_BYTES_MAX, readEntry } from '../../src/bus/contracts/parse.ts';

const have = { build: 'b6', state: 'healthy', at: '2026-11-02T22:55:58.000Z' };
const read = (value: unknown) => readEntry('mesh-host_haves', 'ace.shop', JSON.stringify(value));

describe('an entry that fits', () => {
  it('is its value and the names of its key', () => {
    expect(readEntry('mesh-host_haves', 'ace.shop=2Eeu', JSON.stringify(have))).toEqual({
      ok: true,
      names: ['ace', 'shop.eu'],
      value: have,
    });
  });
});

describe('a key out of shape', () => {
  it.each([
    ['ace', 'expected <node>.<module>, found 1 token'],
    ['ace.shop.route', 'expected <node>.<module>, found 3 tokens'],
    ['ace.a=3a', 'expected <node>.<module>, "a=3a" is not how a name is written'],
    ['ace.a=41', 'expected <node>.<module>, "a=41" is not how a name is written'],
    ['ace.', 'expected <node>.<module>, "" is not how a name is written'],
  ])('%s is said', (key, says) => {
    expect(readEntry('mesh-host_haves', key, JSON.stringify(have))).toEqual({ ok: false, because: 'out-of-shape', says });
  });
});

describe('an unreadable entry (P6)', () => {
  it.each([
    [{ ...have, build: 6 }, 'build', 'expected text, found 6'],
    [{ ...have, build: undefined }, 'build', 'expected text, found nothing'],
    [{ ...have, state: 'well' }, 'state', 'expected "healthy" or "starting" or "unhealthy" or "failed", found "well"'],
    [{ ...have, at: 'yesterday' }, 'at', 'expected a time such as 2026-11-02T22:55:58.000Z'],
    [{ ...have, at: '2026-11-02T22:55:58.000+01:00' }, 'at', 'expected a time such as 2026-11-02T22:55:58.000Z'],
    ['healthy', '', 'expected an object, found "healthy"'],
    [`${'x'.repeat(100)}`, '', `expected an object, found "${'x'.repeat(39)}…`],
  ])('of %j names the field and what was expected', (value, field, says) => {
    expect(read(value)).toEqual({ ok: false, because: 'unreadable', names: ['ace', 'shop'], field, says });
  });

  it('names a field by its path', () => {
    const bound = { state: 'provided', generation: 2, value: { 'data base': 7 }, at: have.at };
    expect(readEntry('postgres_bound', 'ace.shop.database', JSON.stringify(bound))).toMatchObject({
      field: 'value.data base',
      says: 'expected text, found 7',
    });
    expect(readEntry('postgres_bound', 'ace.shop.database', JSON.stringify({ ...bound, generation: 1.5 }))).toMatchObject({
      field: 'generation',
      says: 'expected a whole number, found 1.5',
    });
    expect(readEntry('mesh-provisioner_registry', 'dir', '{"owner":"mesh-placement","from":{}}')).toMatchObject({
      field: 'from',
      says: 'expected one of its forms, found an object',
    });
  });

  it('is one that is not JSON', () => {
    for (const text of ['', '{"build":', 'NaN']) {
      expect(readEntry('mesh-host_haves', 'ace.shop', text)).toMatchObject({
        because: 'unreadable',
        field: '',
        says: expect.stringMatching(/^expected JSON: /),
      });
    }
  });
});

describe('an entry too large for one record of the journal (P6)', () => {
  const sized = (bytes: number, char: string) => {
    const rest = JSON.stringify({ ...have, why: '' }).length;
    const size = new TextEncoder().encode(char).length;
    return JSON.stringify({ ...have, why: char.repeat((bytes - rest) / size) + 'x'.repeat((bytes - rest) % size) });
  };

  it.each(['x', 'é', '€', '😀'])('is counted in bytes of UTF-8, of %s', (char) => {
    expect(readEntry('mesh-host_haves', 'ace.shop', sized(ENTRY_BYTES_MAX, char))).toMatchObject({ ok: true });
    expect(readEntry('mesh-host_haves', 'ace.shop', sized(ENTRY_BYTES_MAX + 1, char))).toEqual({
      ok: false,
      because: 'unreadable',
      names: ['ace', 'shop'],
      field: '',
      says: 'expected at most 786432 bytes, found 786433',
    });
  });
});
