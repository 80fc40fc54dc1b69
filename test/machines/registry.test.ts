import { expect, it } from 'vitest';
import { PlaceholderKind, RegistryEntry } from '../../src/bus/contracts/registry.ts';
import { registry } from '../../src/machines/registry.ts';

it('R1 answers every kind of placeholder and no other, each in shape', () => {
  expect(Object.keys(registry).sort()).toEqual([...PlaceholderKind.options].sort());
  for (const entry of Object.values(registry)) expect(RegistryEntry.parse(entry)).toEqual(entry);
});

it('R2 names the owner of each, and where its value is found', () => {
  const collect = { bucket: 'mesh-provisioner_collect', key: '<node>.<collection>.<contributor>' };
  expect(Object.entries(registry).map(([kind, { owner, from }]) => [kind, owner, from])).toEqual([
    ['config', 'mesh-config', { bucket: 'mesh-config_values', key: '<node>.<module>.<name>' }],
    ['secret', 'mesh-vault', { verb: 'mesh-vault.secret' }],
    ['bound', '<provider-module>', { bucket: '<provider-module>_bound', key: '<key>' }],
    ['consumers', 'mesh-vault', { verb: 'mesh-vault.consumers' }],
    ...['collected', 'shell', 'environment', 'contribution'].map((kind) => [kind, 'mesh-provisioner', collect]),
    ...['dir', 'access', 'port', 'seat', 'machine'].map((kind) => [kind, 'mesh-placement', { plan: true }]),
  ]);
});
