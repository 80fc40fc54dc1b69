import fc from 'fast-check';
import { gateReads, type Read } from '../../src/bus/contracts/buckets.ts';
import type { DrivenKernel } from './driven-kernel.ts';
import { add, provideAll, remove } from './stories-mesh.ts';

const nodes = fc.constantFrom('n1', 'n2');
const modules = fc.constantFrom('blog', 'wiki', 'mail', 'git', 'chat', 'dns');
const providers = fc.constantFrom('router', 'postgres', 'vault');
const reads = fc.constantFrom<Read>(...gateReads, 'asks', 'bound.router', 'bound.postgres', 'bound.vault');

/** Anything that may happen to a mesh and its seat. */
export const acts = fc.oneof(
  { weight: 3, arbitrary: fc.record({ act: fc.constant('all' as const) }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('provide' as const) }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('remove' as const), node: nodes, module: modules }) },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant('add' as const), node: nodes, module: modules, build: fc.constantFrom('b1', 'b2') }),
  },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('wait' as const), ms: fc.constantFrom(1_000, 30_000, 61_000, 700_000) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('answer' as const),
      which: fc.nat(3),
      answer: fc.constantFrom('Approve' as const, 'Keep' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('lose' as const), read: reads }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('load' as const), read: reads }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('start' as const) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('refuse' as const), kind: fc.constantFrom('put', 'raise', 'end', 'nothing') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('outcome' as const),
      provider: providers,
      which: fc.nat(20),
      state: fc.constantFrom('failed', 'waits', 'gone'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('unreadable' as const), node: nodes, module: modules }) },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('word' as const),
      word: fc.constantFrom('retire-many', 'dry-run', 'reconsider', 'raise', 'compose'),
      node: nodes,
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('vault' as const), node: fc.constantFrom('n3', 'n2', 'gone') }) },
);

type Act = typeof acts extends fc.Arbitrary<infer A> ? A : never;

export function perform(mesh: DrivenKernel, act: Act): unknown {
  switch (act.act) {
    case 'all':
      return mesh.loadAll();
    case 'provide':
      return provideAll(mesh);
    case 'remove':
      return remove(mesh, act.node, act.module);
    case 'add':
      return add(mesh, act.node, act.module, act.build);
    case 'wait':
      return mesh.pass(act.ms);
    case 'answer': {
      const id = mesh.asks()[act.which];
      return id === undefined ? undefined : mesh.answer(id, act.answer);
    }
    case 'lose':
      return mesh.lose(act.read);
    case 'load':
      return mesh.load(act.read);
    case 'start':
      mesh.loaded.clear();
      return mesh.start();
    case 'refuse':
      mesh.refuses = ({ kind }) => kind === act.kind;
      return undefined;
    case 'outcome': {
      const key = [...mesh.kernel.shown.keys()].sort()[act.which];
      if (key === undefined) return undefined;
      const { provider, generation = 1 } = mesh.kernel.shown.get(key)!;
      const says = { state: act.state, generation, why: 'so it says', at: '2026-11-02T20:00:00.000Z' };
      return mesh.put(`${provider?.module ?? act.provider}_bound`, key, act.state === 'gone' ? undefined : says);
    }
    case 'unreadable': {
      const { bucket, key, revision } = mesh.set('mesh-controller_wants', `${act.node}.${act.module}`, {});
      return mesh.facts([{ type: 'entry', bucket, key, revision, unreadable: { field: 'build', says: 'expected a name' } }]);
    }
    case 'word':
      return word(mesh, act.word, act.node);
    case 'vault':
      return mesh.put('mesh-placement_seats', 'mesh-vault', act.node === 'gone' ? undefined : { node: act.node, module: 'vault' });
  }
}

function word(mesh: DrivenKernel, word: string, node: string): unknown {
  const said = { by: 'anna', why: 'to see' };
  switch (word) {
    case 'raise':
      return mesh.say('mesh-router.raise', { id: `other.${mesh.now}`, asker: 'other', subject: 'x', question: '?', proof: null });
    case 'reconsider':
      return mesh.say('mesh-provisioner.reconsider', { key: `${node}.blog.route`, ...said });
    case 'compose':
      return mesh.say('mesh-provisioner.compose', said);
    default:
      return mesh.say('mesh-provisioner.compose', { node, [word]: true, ...said });
  }
}
