import type { PlaceholderKind, RegistryEntry } from '../bus/contracts/registry.ts';

const collected: RegistryEntry = {
  owner: 'mesh-provisioner',
  from: { bucket: 'mesh-provisioner_collect', key: '<node>.<collection>.<contributor>' },
};
const placed: RegistryEntry = { owner: 'mesh-placement', from: { plan: true } };

/** Who answers each kind of placeholder, and where: compiled in, whether or not its seat is held now (R1–R3). */
export const registry: Readonly<Record<PlaceholderKind, RegistryEntry>> = {
  config: { owner: 'mesh-config', from: { bucket: 'mesh-config_values', key: '<node>.<module>.<name>' } },
  secret: { owner: 'mesh-vault', from: { verb: 'mesh-vault.secret' } },
  bound: { owner: '<provider-module>', from: { bucket: '<provider-module>_bound', key: '<key>' } },
  consumers: { owner: 'mesh-vault', from: { verb: 'mesh-vault.consumers' } },
  collected,
  shell: collected,
  environment: collected,
  contribution: collected,
  dir: placed,
  access: placed,
  port: placed,
  seat: placed,
  machine: placed,
};
