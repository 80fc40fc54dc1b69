import { expect, it } from 'vitest';

it('a machine test has neither clock nor randomness, and still reads the times of its facts', () => {
  expect(() => Date.now()).toThrow('called Date.now()');
  expect(() => new Date()).toThrow('called new Date()');
  expect(() => Math.random()).toThrow('called Math.random()');
  expect(new Date('2026-11-02T22:55:58.000Z').toISOString()).toBe('2026-11-02T22:55:58.000Z');
  expect(Date.parse('1970-01-01T00:00:01.000Z')).toBe(1000);
  expect(new Date(0)).toBeInstanceOf(Date);
});
