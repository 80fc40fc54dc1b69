import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Composed, Standing } from '../../src/machines/composed.ts';
import type { EntryFact } from '../../src/machines/facts.ts';
import {
  composed,
  deleted,
  fills,
  given,
  had,
  indexed,
  load,
  machine,
  needs,
  offers,
  outcome,
  placed,
  published,
  seat,
  standing,
  unreadable,
  wanted,
} from './given.ts';

const NODES = ['n1', 'n2', 'n3'];
const PLACES = NODES.flatMap((node) => ['blog', 'proxy', 'pg', 'vault', 'Blog'].map((module) => `${node}.${module}`));
const BUILDS = ['b1', 'b2'];
const KEYS = ['n1.blog.route', 'n1.blog.db', 'n1.blog.secret-db', 'n2.blog.db', 'n2.blog.secret-db'];
const COMPOSITIONS = [
  {},
  needs('route', { provision: 'db', with: { user: '${bound:secret-db.user}', on: '${machine:address}' } }),
  needs({ provision: 'db', provider: 'pg' }, { provision: 'route', with: { to: '${seat:front}' } }),
  offers('route'),
  offers('db', { credential: 'pair', bound: true }),
  offers('db', { credential: 'none' }),
  offers('db', {}),
  { ...needs('db'), ...fills('${seat:front} ${bound:db.host} ${dir:state}') },
];

const place = fc.constantFrom(...PLACES);
const build = fc.constantFrom(...BUILDS);
const module = fc.constantFrom('blog', 'proxy', 'pg', 'vault', 'Blog');
const present: fc.Arbitrary<EntryFact> = fc.oneof(
  place.map((key) => placed(key, { dirs: { state: '/srv' } })),
  fc.tuple(place, build).map(([key, at]) => wanted(key, at)),
  fc.tuple(place, build, fc.constantFrom('healthy', 'failed')).map(([key, at, state]) => had(key, at, state as 'healthy')),
  fc.tuple(module, fc.option(build)).map(([name, newest]) => indexed(name, newest ?? undefined)),
  {
    weight: 3,
    arbitrary: fc.tuple(module, build, fc.constantFrom(...COMPOSITIONS)).map(([name, at, it]) => published(`${name}.${at}`, it)),
  },
  fc.constantFrom(...NODES).map((node) => machine(node, { address: node })),
  fc
    .tuple(fc.constantFrom('mesh-vault', 'front'), fc.constantFrom(...NODES), module)
    .map(([name, node, holder]) => seat(name, node, holder)),
  fc
    .tuple(module, fc.constantFrom(...KEYS), fc.constantFrom('provided', 'waits'))
    .map(([provider, key, state]) => outcome(provider, key, { state: state as 'waits', value: { user: 'u' } })),
);
const change = fc
  .tuple(present, fc.integer({ min: 0, max: 9 }))
  .map(([fact, kind]) => (kind === 0 ? unreadable(fact) : kind < 3 ? deleted(fact) : fact));

/** What stands once a pass was acted on. */
function standingOf({ needs: needed, plans }: Composed, before: Standing): Standing {
  const keys = Object.values(needed).map(({ key, provider, bound, answer, with: asked, dependsOn }) => [
    key,
    {
      ...(provider && { provider }),
      bound,
      provided: answer.state === 'provided',
      with: asked,
      dependsOn: dependsOn ?? before.keys[key]?.dependsOn ?? [],
    },
  ]);
  return standing({ ...before.keys, ...Object.fromEntries(keys) }, [...Object.keys(plans), ...Object.keys(before.plans)]);
}

it('C9 whatever changes what a node is judged from touches it, or the key alone whose answer it changes', () => {
  fc.assert(
    fc.property(
      fc.array(present, { minLength: 20, maxLength: 60 }),
      fc.array(change, { minLength: 1, maxLength: 25 }),
      (before, changes) => {
        const picture = given(before);
        const stands = new Map<string, Standing>();
        const judged = new Map<string, Composed>();
        const judge = (node: string) => {
          const stood = stands.get(node) ?? standing();
          stands.set(node, standingOf(composed(picture, node, stood), stood));
          judged.set(node, composed(picture, node, stands.get(node)));
        };
        for (const provider of picture.boundProviders()) load(picture, `bound.${provider}`);
        for (const node of NODES) judge(node);
        for (const fact of changes) {
          const { nodes, outcomes } = picture.apply(fact, 0);
          for (const node of NODES) {
            const now = composed(picture, node, stands.get(node));
            if (!nodes.has(node)) expect(without(outcomes, now)).toEqual(without(outcomes, judged.get(node)!));
            judge(node);
          }
        }
      },
    ),
    { seed: 20261102, numRuns: 150 },
  );
});

function without(outcomes: readonly { readonly key: string }[], { needs: needed, ...rest }: Composed) {
  const changed = new Set(outcomes.map(({ key }) => key));
  const kept = Object.values(needed).map(({ answer, ...need }) => (changed.has(need.key) ? need : { ...need, answer }));
  return { ...rest, needs: kept };
}
