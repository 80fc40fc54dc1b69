import { expect, test } from 'vitest';
import { oldRuleAsks } from '../../examples/incident-2026-11-02/old-rule.ts';
import { Composition } from '../../src/bus/contracts/compositions.ts';
import { keyOf } from '../../src/bus/contracts/tokens.ts';
import { entriesOf } from '../../src/mesh/entries.ts';
import { readMesh } from '../../src/mesh/folder.ts';

const mesh = readMesh('examples/incident-2026-11-02');
const compositions = entriesOf(mesh).filter((entry) => entry.bucket === 'mesh-indexer_compositions');
const whole = new Map(compositions.map(({ key, value }) => [key, Composition.parse(value)]));
const partial = new Map([...whole].filter(([, { needs }]) => needs.length === 0));
const standing = Object.entries(mesh.nodes).flatMap(([node, { modules }]) =>
  Object.keys(modules).flatMap((module) => whole.get(keyOf(module, 'b1'))!.needs.map((need) => keyOf(node, module, need.provision))),
);

test('the mesh of the incident has 36 modules, 21 of them web apps with a route each', () => {
  expect([whole.size, partial.size, standing.length]).toEqual([36, 15, 21]);
});

test('on 15 of 36 modules the old rule asks to take 6 routes on novox and 15 on ace; on the whole it asks nothing', () => {
  const asked = oldRuleAsks(standing, partial);
  expect(asked.filter((key) => key.startsWith('novox.'))).toHaveLength(6);
  expect(asked.filter((key) => key.startsWith('ace.'))).toHaveLength(15);
  expect(oldRuleAsks(standing, whole)).toEqual([]);
});
