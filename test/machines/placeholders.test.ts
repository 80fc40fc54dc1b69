import { describe, expect, it } from 'vitest';
import { fill, partsOf, placeholdersOf } from '../../src/machines/placeholders.ts';

const values: Readonly<Record<string, unknown>> = { 'port:http': 8080, 'dir:state': '/srv/shop', 'seat:list': ['a'] };
const filled = (value: unknown) => fill(value, ({ kind, name }) => values[`${kind}:${name}`]);

describe('placeholders', () => {
  it('are parsed with what stands around them', () => {
    expect(partsOf('a ${port:http}/${dir:x y}')).toEqual([
      'a ',
      { written: '${port:http}', kind: 'port', name: 'http' },
      '/',
      { written: '${dir:x y}', kind: 'dir', name: 'x y' },
    ]);
  });

  it('may have a name with colons', () => {
    expect(partsOf('${shell:zsh:normal}')).toEqual([{ written: '${shell:zsh:normal}', kind: 'shell', name: 'zsh:normal' }]);
  });

  it('keep the type of a value that is one placeholder alone', () => {
    expect(filled({ port: '${port:http}' }).value).toEqual({ port: 8080 });
    expect(filled({ url: 'http://x:${port:http}/' }).value).toEqual({ url: 'http://x:8080/' });
  });

  it('are filled in values however deep, whose names come in order', () => {
    const { value, unfilled } = filled({ b: [{ at: '${dir:state}/x' }, 1, null, true], a: 'plain' });
    expect(value).toEqual({ a: 'plain', b: [{ at: '/srv/shop/x' }, 1, null, true] });
    expect(Object.keys(value as object)).toEqual(['a', 'b']);
    expect(unfilled).toEqual([]);
  });

  it('read $${ as a literal ${', () => {
    expect(filled('$${port:http} is ${port:http}')).toEqual({ value: '${port:http} is 8080', unfilled: [] });
    expect(filled('$${')).toEqual({ value: '${', unfilled: [] });
  });

  it.each(['${port:none}', '${nosuch:http}', '${port}', '${port:}', '${', '${port:http', '${:http}', '${__proto__:x}', '${port:\ud800}'])(
    'that cannot be filled stay as written and are named: %j',
    (written) => {
      expect(filled(`a ${written}`)).toEqual({ value: `a ${written}`, unfilled: [written] });
    },
  );

  it('are named once each, in order', () => {
    expect(filled(['${port:z}', '${port:b}', '${port:z}']).unfilled).toEqual(['${port:b}', '${port:z}']);
  });

  it('are found in values however deep', () => {
    expect(placeholdersOf([{ path: '${dir:x}' }, ['${nosuch:y}', 3], null]).map(({ written }) => written)).toEqual([
      '${dir:x}',
      '${nosuch:y}',
    ]);
  });

  it('never touch the prototype of what they fill', () => {
    const { value } = filled(JSON.parse('{"__proto__": "${port:http}"}'));
    expect(Object.entries(value as object)).toEqual([['__proto__', 8080]]);
  });
});
