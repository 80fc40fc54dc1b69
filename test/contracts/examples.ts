import type { Bucket } from '../../src/bus/contracts/buckets.ts';

const at = '2026-11-02T22:55:58.000Z';

/** One entry of every bucket, as other programs read and write it. */
export const examples: Readonly<Record<Bucket | 'route-adapter_bound', { key: string; value: object }>> = {
  'mesh-placement_modules': { key: 'ace.shop', value: { dirs: { state: '/srv/shop' }, ports: { http: 8080 }, access: { web: 'public' } } },
  'mesh-placement_machines': { key: 'ace', value: { address: '10.0.0.7', account: 'ops' } },
  'mesh-placement_seats': { key: 'mesh-vault', value: { node: 'ace', module: 'vault' } },
  'mesh-controller_wants': { key: 'ace.shop', value: { build: 'b6' } },
  'mesh-host_haves': { key: 'ace.shop', value: { build: 'b6', state: 'unhealthy', why: 'port 8080 is taken', at } },
  'mesh-indexer_modules': { key: 'shop', value: { newest: 'b7', builds: ['b6', 'b7'], at } },
  'mesh-indexer_compositions': {
    key: 'shop.b6',
    value: {
      needs: [{ provision: 'route', local: 'www', provider: 'route-adapter', with: { host: 'shop.example', port: '${port:http}' } }],
      offers: [{ provision: 'database', credential: 'pair', bound: true }],
      contributes: [{ collection: 'shell:zsh:normal', item: { alias: 'shop' } }],
      fills: [{ path: '${dir:state}/shop.json', mode: '0640', owner: 'shop', content: '{"db":"${bound:database.name}"}' }],
    },
  },
  'route-adapter_bound': {
    key: 'ace.shop.route.www',
    value: { state: 'provided', generation: 2, value: { url: 'https://shop.example' }, at },
  },
  'mesh-router_asks': {
    key: 'ask-1',
    value: {
      asker: 'mesh-provisioner',
      subject: 'ace.shop.route.www',
      question: 'Take the route of shop on ace away?',
      proof: { placement: 12 },
      options: ['Approve', 'Keep'],
      state: 'answered',
      raisedAt: at,
      answer: 'Approve',
      by: 'ada',
      answeredAt: at,
      why: 'the shop has moved',
    },
  },
  'mesh-provisioner_provisions': {
    key: 'ace.shop.route.www',
    value: {
      state: 'judging',
      detail: 'asked',
      why: 'route-adapter on ace has not answered generation 2',
      since: at,
      generation: 2,
      provider: { node: 'ace', module: 'route-adapter' },
      with: { host: 'shop.example', port: 8080 },
      builds: ['b6', 'b7'],
      dependsOn: ['ace.shop.secret-database'],
      former: [
        {
          provider: { node: 'novox', module: 'old-postgres' },
          generation: 1,
          state: 'held',
          detail: 'moving',
          why: 'until the new one provides',
        },
      ],
      evidence: [{ bucket: 'mesh-controller_wants', key: 'ace.shop', revision: 41 }],
      ask: { id: 'ask-1', state: 'waiting' },
      warrant: { ask: 'ask-1', answer: 'yes', by: 'ada', at, generation: 2 },
    },
  },
  'mesh-provisioner_plans': {
    key: 'ace.shop',
    value: {
      build: 'b6',
      held: 'the composition of b7 is not published',
      values: {
        'port:http': { value: 8080 },
        'bound:database.name': { bucket: 'postgres_bound', key: 'ace.shop.database', field: 'name' },
        'secret:database': { verb: 'mesh-vault.secret', request: { key: 'ace.shop.secret-database' } },
      },
      fills: [{ path: '/srv/shop/shop.json', mode: '0640', owner: 'shop', content: '{}' }],
      provisions: ['ace.shop.route.www'],
      collections: [{ collection: 'shell:zsh:normal', item: { alias: 'shop' } }],
      evidence: [{ bucket: 'mesh-controller_wants', key: 'ace.shop', revision: 41 }],
    },
  },
  'mesh-provisioner_registry': { key: 'secret', value: { owner: 'mesh-vault', from: { verb: 'mesh-vault.secret' } } },
  'mesh-provisioner_faults': {
    key: 'unreadable.mesh-host_haves.ace.shop',
    value: {
      kind: 'unreadable',
      says: 'mesh-host_haves ace.shop at revision 7 does not fit: build',
      cause: 'its writer is of another version',
      clears: 'an entry that fits',
      node: 'ace',
      module: 'shop',
      key: 'ace.shop.route.www',
      build: 'b6',
      since: at,
    },
  },
  'mesh-provisioner_snapshots': { key: 'supervisor', value: { seq: 41, version: 1, owed: [], pieces: { 'node.ace': 40 }, gate: {} } },
  'mesh-provisioner_seat': { key: 'holder', value: { instance: 'ace-1', epoch: 3, until: at } },
  'mesh-provisioner_applied': { key: 'ace.shop', value: { build: 'b6', files: ['/srv/shop/shop.json'], at } },
  'mesh-provisioner_collect': { key: 'ace.shell=3Azsh=3Anormal.shop', value: { item: { alias: 'shop' }, at } },
};
