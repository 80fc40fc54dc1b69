import { describe, expect, it } from 'vitest';
import { readEntry } from '../../src/bus/contracts/parse.ts';

const read = (composition: unknown) => readEntry('mesh-indexer_compositions', 'shop.b6', JSON.stringify(composition));

describe('a composition', () => {
  it('refuses a need named twice', () => {
    expect(read({ needs: [{ provision: 'route' }, { provision: 'route' }] })).toMatchObject({
      because: 'unreadable',
      field: 'needs[1]',
      says: 'route is needed twice',
    });
    expect(
      read({
        needs: [
          { provision: 'route', local: 'www' },
          { provision: 'route', local: 'www' },
        ],
      }),
    ).toMatchObject({
      field: 'needs[1]',
      says: 'route, local www, is needed twice',
    });
  });

  it('takes a provision needed under two locals, or with and without one', () => {
    const needs = [{ provision: 'route' }, { provision: 'route', local: 'www' }, { provision: 'route', local: 'api' }];
    expect(read({ needs })).toMatchObject({ ok: true, value: { needs } });
  });

  it('takes an offer without a credential: that is the error of the offer, not of the entry (C6)', () => {
    expect(read({ offers: [{ provision: 'database' }] })).toMatchObject({ ok: true, value: { offers: [{ provision: 'database' }] } });
    expect(read({ offers: [{ provision: 'database', credential: 'password' }] })).toMatchObject({ field: 'offers[0].credential' });
  });

  it('takes a part that is not there as empty', () => {
    expect(read({ needs: [] })).toMatchObject({ value: { needs: [], offers: [], contributes: [], fills: [] } });
  });

  it('is never one that needs nothing for want of every part (P6)', () => {
    expect(read({})).toMatchObject({ because: 'unreadable', field: '', says: 'expected needs, offers, contributes or fills' });
    expect(read({ need: [{ provision: 'route' }] })).toMatchObject({ because: 'unreadable' });
    expect(read(null)).toMatchObject({ because: 'unreadable', says: 'expected an object, found null' });
    expect(read([])).toMatchObject({ because: 'unreadable', says: 'expected an object, found a list' });
    expect(read({ needs: null })).toMatchObject({ because: 'unreadable', field: 'needs', says: 'expected a list, found null' });
  });

  it('refuses names that no key can hold', () => {
    expect(read({ needs: [{ provision: '' }] })).toMatchObject({ field: 'needs[0].provision', says: 'expected a name that is not empty' });
    expect(read({ needs: [{ provision: 'a\uD800' }] })).toMatchObject({
      field: 'needs[0].provision',
      says: expect.stringContaining('Unicode'),
    });
  });

  it('refuses a mode that is not octal', () => {
    expect(read({ fills: [{ path: '/a', content: '', mode: 'rw-r' }] })).toMatchObject({
      field: 'fills[0].mode',
      says: 'expected an octal mode such as "0640"',
    });
  });

  it('refuses what is nested too deeply to be walked, and stands', () => {
    const deep = (levels: number) => `{"needs":[{"provision":"a","with":{"x":${'['.repeat(levels)}${']'.repeat(levels)}}}]}`;
    expect(readEntry('mesh-indexer_compositions', 'shop.b6', deep(64))).toMatchObject({ ok: true });
    for (const levels of [65, 200_000]) {
      expect(readEntry('mesh-indexer_compositions', 'shop.b6', deep(levels))).toMatchObject({
        field: 'needs[0].with.x',
        says: 'expected at most 64 levels',
      });
    }
  });
});
