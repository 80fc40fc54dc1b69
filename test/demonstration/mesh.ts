import type { Json, Wire } from './wire.ts';

/** 6 web apps on one node, 15 on the other, as on the evening this project is named for. */
export const apps: Readonly<Record<string, readonly string[]>> = {
  novox: ['agenda', 'board', 'books', 'chat', 'diary', 'files'],
  ace: 'atlas cart desk events forum gallery help intra jobs kiosk label maps news office wiki'.split(' '),
};

/** An app of its own beside them, with a database and its secret. */
export const shop = { node: 'ace', module: 'shop', keys: ['ace.shop.database', 'ace.shop.route', 'ace.shop.secret-database'] };

const BUILD = 'b1';
const offers: Readonly<Record<string, [node: string, offer: Json | undefined]>> = {
  'route-adapter': ['ace', { provision: 'route', credential: 'none', bound: true }],
  postgres: ['novox', { provision: 'database', credential: 'pair', bound: true }],
  // Not `bound`: its have answers for it.
  timer: ['novox', { provision: 'schedule', credential: 'none' }],
  vault: ['ace', undefined],
};

export async function putMesh(wire: Wire): Promise<void> {
  for (const provider of ['route-adapter', 'postgres', 'vault']) await wire.make(`${provider}_bound`);
  for (const node of ['novox', 'ace']) await wire.put('mesh-placement_machines', node, { address: `${node}.example` });
  for (const [module, [node, offer]] of Object.entries(offers)) {
    await index(wire, module, { needs: [], offers: offer === undefined ? [] : [offer] });
    await place(wire, node, module);
  }
  await wire.put('mesh-placement_seats', 'mesh-vault', { node: 'ace', module: 'vault' });
  for (const [node, modules] of Object.entries(apps)) {
    for (const module of modules) {
      await index(wire, module, { needs: [{ provision: 'route', with: { host: `${module}.example`, port: '${port:http}' } }] });
      await place(wire, node, module);
    }
  }
  const needs = [
    { provision: 'route', with: { host: 'shop.example' } },
    { provision: 'database' },
    { provision: 'schedule', local: 'nightly' },
  ];
  await index(wire, shop.module, { needs });
  await place(wire, shop.node, shop.module);
}

export async function place(wire: Wire, node: string, module: string): Promise<void> {
  await wire.put('mesh-placement_modules', `${node}.${module}`, { ports: { http: 8080 } });
  await wire.put('mesh-controller_wants', `${node}.${module}`, { build: BUILD });
  await wire.put('mesh-host_haves', `${node}.${module}`, { build: BUILD, state: 'healthy', at: now() });
}

export async function takeAway(wire: Wire, node: string, module: string): Promise<void> {
  for (const bucket of ['mesh-placement_modules', 'mesh-controller_wants', 'mesh-host_haves'])
    await wire.delete(bucket, `${node}.${module}`);
}

/** Every provider with a bucket of its own answers whatever asks it, and lets go on a warrant for that generation. */
export async function provide(wire: Wire): Promise<void> {
  await wire.follow('mesh-provisioner_provisions', (key, value) => {
    const provision = value as { state: string; detail?: string; generation: number; provider?: { module: string } } | undefined;
    if (provision?.state !== 'judging' || provision.detail !== 'asked' || provision.provider?.module === 'timer') return;
    const { generation, provider } = provision;
    void wire.put(`${provider?.module}_bound`, key, { state: 'provided', generation, value: { name: key }, at: now() });
  });
}

async function index(wire: Wire, module: string, composition: Json): Promise<void> {
  await wire.put('mesh-indexer_modules', module, { newest: BUILD, builds: [BUILD], at: now() });
  await wire.put('mesh-indexer_compositions', `${module}.${BUILD}`, composition);
}

function now(): string {
  return new Date().toISOString();
}
