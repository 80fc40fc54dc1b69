import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readEntry } from '../../src/bus/contracts/parse.ts';
import { entriesOf } from '../../src/mesh/entries.ts';
import { readMesh } from '../../src/mesh/folder.ts';
import { temporaryFolder } from '../temporary.ts';

const root = temporaryFolder();

const MESH = `mesh: small
seats:
  mesh-vault: { node: ace, module: vault }
nodes:
  ace:
    address: 10.0.0.2
    modules:
      vault: { build: b1 }
      shop: { build: b2, ports: { http: 80 } }
`;
const VAULT = 'newest: b1\nbuilds:\n  b1: { needs: [] }\n';
const SHOP = 'newest: b2\nbuilds:\n  b1:\n  b2:\n    needs:\n      - { provision: route }\n';
const SMALL = { 'mesh.yaml': MESH, 'modules/vault.yaml': VAULT, 'modules/shop.yaml': SHOP };

describe('a mesh folder', () => {
  test('becomes entries of the input buckets', () => {
    const said = entriesOf(readMesh(folder('small', SMALL))).map(({ bucket, key, value }) => [bucket, key, value]);
    expect(said).toEqual([
      ['mesh-indexer_compositions', 'shop.b2', { needs: [{ provision: 'route' }], offers: [], contributes: [], fills: [] }],
      ['mesh-indexer_modules', 'shop', { newest: 'b2', builds: ['b1', 'b2'] }],
      ['mesh-indexer_compositions', 'vault.b1', { needs: [], offers: [], contributes: [], fills: [] }],
      ['mesh-indexer_modules', 'vault', { newest: 'b1', builds: ['b1'] }],
      ['mesh-placement_machines', 'ace', { address: '10.0.0.2' }],
      ['mesh-placement_modules', 'ace.vault', {}],
      ['mesh-controller_wants', 'ace.vault', { build: 'b1' }],
      ['mesh-placement_modules', 'ace.shop', { ports: { http: 80 } }],
      ['mesh-controller_wants', 'ace.shop', { build: 'b2' }],
      ['mesh-placement_seats', 'mesh-vault', { node: 'ace', module: 'vault' }],
    ]);
  });

  test.each(['two-nodes', 'incident-2026-11-02'])('examples/%s holds only entries in schema', (name) => {
    for (const { bucket, key, value } of entriesOf(readMesh(join('examples', name)))) {
      const text = JSON.stringify(bucket === 'mesh-indexer_modules' ? { ...value, at: '2026-11-02T22:55:58.000Z' } : value);
      expect(readEntry(bucket, key, text)).toMatchObject({ ok: true });
    }
  });
});

describe('a mistake says file, line, column, what was found and what was expected', () => {
  test.each<[string, Record<string, string>, string]>([
    ['no mesh.yaml', { 'modules/a.yaml': VAULT }, 'is not a mesh folder: expected'],
    ['YAML that is none', { ...SMALL, 'mesh.yaml': 'mesh: [\n' }, 'mesh.yaml:2:1: Flow sequence'],
    [
      'a field of another type',
      { ...SMALL, 'mesh.yaml': MESH.replace('80', 'eighty') },
      'mesh.yaml:9:41: nodes.ace.modules.shop.ports.http: found "eighty", expected number',
    ],
    [
      'a field nobody knows',
      { ...SMALL, 'mesh.yaml': MESH.replace('ports:', 'portz:') },
      'mesh.yaml:9:26: nodes.ace.modules.shop: found "portz", expected build, dirs, ports, access; did you mean ports?',
    ],
    [
      'a field that is missing',
      { ...SMALL, 'mesh.yaml': MESH.replace('    address: 10.0.0.2\n', '') },
      'mesh.yaml:6:5: nodes.ace.address: found nothing, expected string',
    ],
    [
      'a build that is a number',
      { ...SMALL, 'mesh.yaml': MESH.replace('build: b2', 'build: 1.10') },
      'mesh.yaml:9:22: nodes.ace.modules.shop.build: found 1.1, expected string',
    ],
    [
      'a name that is a number',
      { ...SMALL, 'modules/shop.yaml': 'builds:\n  1.10: { needs: [] }\n' },
      'shop.yaml:2:3: found the number 1.1 as a name, expected it in quotes',
    ],
    [
      'an offer without a credential form',
      { ...SMALL, 'modules/vault.yaml': 'builds:\n  b1:\n    offers:\n      - { provision: route }\n' },
      'vault.yaml:4:9: builds.b1.offers.0.credential: found nothing, expected one of "pair"|"secret"|"none"',
    ],
    [
      'a need named twice',
      { ...SMALL, 'modules/shop.yaml': `${SHOP}      - { provision: route }\n` },
      'shop.yaml:7:9: builds.b2.needs.1: found a mapping, route is needed twice',
    ],
    [
      'a module without a file',
      { 'mesh.yaml': MESH, 'modules/vault.yaml': VAULT },
      'mesh.yaml:9:13: nodes.ace.modules.shop: found no file for it, expected modules/shop.yaml',
    ],
    [
      'a build that its module has not',
      { ...SMALL, 'mesh.yaml': MESH.replace('build: b2', 'build: b3') },
      'mesh.yaml:9:22: nodes.ace.modules.shop.build: found "b3", expected a build of modules/shop.yaml: b1, b2',
    ],
    [
      'a seat on no node',
      { ...SMALL, 'mesh.yaml': MESH.replace('node: ace', 'node: acd') },
      'mesh.yaml:3:23: seats.mesh-vault.node: found "acd", expected a node: ace',
    ],
    [
      'a seat held by a module that is not there',
      { ...SMALL, 'mesh.yaml': MESH.replace('module: vault', 'module: valut') },
      'mesh.yaml:3:36: seats.mesh-vault.module: found "valut", expected a module of ace: vault, shop',
    ],
    [
      'a newest build that is none of the builds',
      { ...SMALL, 'modules/vault.yaml': VAULT.replace('newest: b1', 'newest: b2') },
      'vault.yaml:1:9: newest: found "b2", expected one of the builds of vault: b1',
    ],
    ['a file of another kind', { ...SMALL, 'modules/notes.txt': '' }, 'notes.txt:1:1: found another kind of file, expected <module>.yaml'],
  ])('%s', (name, files, says) => {
    expect(() => readMesh(folder(name.replaceAll(' ', '-'), files))).toThrow(says);
  });

  test('and all of the folder are listed', () => {
    const files = {
      ...SMALL,
      'mesh.yaml': MESH.replace('80', 'eighty'),
      'modules/vault.yaml': 'newst: b1\n',
      'modules/shop.yaml': 'builds: []\n',
    };
    const lines = messageOf(() => readMesh(folder('many', files))).split('\n');
    expect(lines.map((line) => line.split('/').at(-1)!.split(':')[0])).toEqual([
      'shop.yaml',
      'vault.yaml',
      'mesh.yaml',
      'nothing was published',
    ]);
  });
});

function folder(name: string, files: Readonly<Record<string, string>>): string {
  for (const [file, text] of Object.entries(files)) {
    const path = join(root, name, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return join(root, name);
}

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('nothing failed');
}
