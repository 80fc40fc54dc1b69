import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeToken, encodeToken, keyOf, namesOf } from '../../src/bus/contracts/tokens.ts';

const name = fc.string({ unit: 'binary', minLength: 1 });
const RUNS = { numRuns: 2000 };

describe('a token', () => {
  it('is written as the wire has it', () => {
    expect(encodeToken('shell:zsh:normal')).toBe('shell=3Azsh=3Anormal');
    expect(encodeToken('a=b')).toBe('a=3Db');
    expect(encodeToken('1.2.3')).toBe('1=2E2=2E3');
    expect(encodeToken('Ärger')).toBe('=C3=84rger');
    expect(encodeToken('A-z_9')).toBe('A-z_9');
  });

  it('decodes to the name that it was made of, whatever that is', () => {
    fc.assert(
      fc.property(name, (name) => {
        const token = encodeToken(name);
        expect(token).toMatch(/^(?:[A-Za-z0-9_-]|=[0-9A-F]{2})+$/);
        expect(decodeToken(token)).toBe(name);
      }),
      RUNS,
    );
  });

  it('is the encoding of its own decoding or out of shape', () => {
    const token = fc.string({ unit: fc.constantFrom('a', 'Z', '-', '_', '=', '4', '1', 'C', '3', '8', 'f', ':', '.', 'é'), maxLength: 8 });
    fc.assert(
      fc.property(token, (token) => {
        const name = decodeToken(token);
        if (name !== undefined) expect(encodeToken(name)).toBe(token);
      }),
      RUNS,
    );
  });

  it.each([
    ['a lower-case code', 'a=3a'],
    ['a code for what needs none', 'a=41'],
    ['nothing', ''],
    ['half a code', 'a=3'],
    ['a bare sign', 'a='],
    ['a bare character that needs a code', 'a:b'],
    ['a letter outside ASCII', 'é'],
    ['bytes that are no UTF-8', '=FF'],
    ['half of a character', '=C3'],
    ['an overlong encoding', '=C0=80'],
    ['half of a surrogate pair', '=ED=A0=80'],
    ['a line end', 'a\n'],
  ])('is out of shape with %s', (_, token) => {
    expect(decodeToken(token)).toBeUndefined();
  });

  it('keeps a byte order mark', () => {
    expect(decodeToken(encodeToken('\uFEFFa'))).toBe('\uFEFFa');
  });

  it('is never made of an empty name or of half of a surrogate pair', () => {
    expect(() => encodeToken('')).toThrow(RangeError);
    expect(() => encodeToken('a\uD800')).toThrow(RangeError);
  });
});

describe('a key', () => {
  it('gives back the names that it was made of', () => {
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), (names) => {
        expect(namesOf(keyOf(...names))).toEqual(names);
      }),
    );
  });

  it('is out of shape with one token that is', () => {
    expect(namesOf('ace.shop.a=3a')).toBeUndefined();
    expect(namesOf('ace..route')).toBeUndefined();
    expect(namesOf('.ace')).toBeUndefined();
    expect(namesOf('')).toBeUndefined();
  });
});
