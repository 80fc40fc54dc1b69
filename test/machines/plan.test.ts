import { describe, expect, it } from 'vitest';
import type { Composition } from '../../src/bus/contracts/compositions.ts';
import type { EntryFact } from '../../src/machines/facts.ts';
import {
  at,
  composed,
  deleted,
  fills,
  given,
  had,
  indexed,
  known,
  machine,
  needs,
  offers,
  outcome,
  placed,
  published,
  runs,
  seat,
  standing,
  unreadable,
  wanted,
} from './given.ts';

const blog = { 'b1 of it': published('blog.b1', fills('one')), 'b2 of it': published('blog.b2', fills('two')) };
const planOf = (facts: readonly EntryFact[], plans: readonly string[] = []) =>
  composed(given(facts), 'n1', standing({}, plans)).plans['n1.blog'];

describe('C7 a plan', () => {
  const upgrade = [wanted('n1.blog', 'b2'), had('n1.blog', 'b1'), indexed('blog', 'b2')];

  it('is composed at the wanted build', () => {
    const verdict = planOf([...upgrade, ...Object.values(blog)]);
    expect(verdict).toMatchObject({ do: 'put', plan: { build: 'b2', fills: [{ content: 'two' }] } });
    expect(verdict).not.toHaveProperty('plan.held');
  });

  it('is of no module without a want', () => {
    expect(planOf([placed('n1.blog'), had('n1.blog', 'b1'), ...known('blog')])).toBeUndefined();
  });

  it('stands, but for why it is held, while the wanted build’s composition is not read', () => {
    expect(planOf([...upgrade, blog['b1 of it']], ['n1.blog'])).toEqual({
      do: 'stand',
      held: 'the composition of blog at build b2 is not published',
    });
  });

  it('is composed at the build that runs where none stands', () => {
    const running = planOf([...upgrade, blog['b1 of it']]);
    expect(running).toMatchObject({ do: 'put', plan: { build: 'b1', fills: [{ content: 'one' }] } });
    expect(running).toHaveProperty('plan.held', 'the composition of blog at build b2 is not published');
    expect(planOf(upgrade)).toMatchObject({ do: 'stand' });
  });

  it('is put at the wanted build though another one of the module’s holds it', () => {
    const verdict = planOf([...runs('n1.blog'), indexed('blog', 'b9'), blog['b1 of it']], ['n1.blog']);
    expect(verdict).toMatchObject({ do: 'put', plan: { build: 'b1', held: 'the composition of blog at build b9 is not published' } });
  });

  it.each([
    ['an entry of its module', unreadable(placed('n1.blog'))],
    ['its want', unreadable(wanted('n1.blog', 'b1'))],
    ['a seat it names', unreadable(seat('front', 'n9', 'edge'))],
    ['its machine', unreadable(machine('n1', { address: '' }))],
  ])('stands while %s cannot be read (P6)', (_, fact) => {
    const facts = [...runs('n1.blog'), ...known('blog', fills('${seat:front} ${machine:address}')), fact];
    expect(planOf(facts, ['n1.blog'])).toMatchObject({ do: 'stand', held: expect.stringContaining('cannot be read') });
    expect(planOf(facts)).toMatchObject({ do: 'put' });
  });

  it('stands while its module’s name clashes', () => {
    expect(planOf([...runs('n1.blog'), ...known('blog'), placed('n1.Blog')], ['n1.blog'])).toMatchObject({ do: 'stand' });
  });
});

describe('C7 what a plan says', () => {
  const plan = (composition: Partial<Composition>, ...facts: readonly (EntryFact | readonly EntryFact[])[]) => {
    const verdict = composed(given(runs('n1.blog'), known('blog', composition), facts.flat() as EntryFact[])).plans['n1.blog'];
    if (verdict?.do !== 'put') throw new Error('no plan was put');
    return verdict.plan;
  };
  const found = (placeholder: string, ...facts: (EntryFact | readonly EntryFact[])[]) => {
    const name = placeholder.slice(2, -1);
    return plan({ ...fills(placeholder), ...asks }, ...facts).values[name];
  };
  const asks = needs('db', { provision: 'db', local: 'log' });
  const pg = [...runs('n2.pg'), ...known('pg', offers('db', { credential: 'pair', bound: true }))];

  it.each([
    ['${config:size.max}', { bucket: 'mesh-config_values', key: 'n1.blog.size=2Emax' }],
    ['${secret:db}', { verb: 'mesh-vault.secret', request: { key: 'n1.blog.secret-db' } }],
    ['${secret:db.user}', { verb: 'mesh-vault.secret', request: { key: 'n1.blog.secret-db' }, field: 'user' }],
    ['${secret:db.log}', { verb: 'mesh-vault.secret', request: { key: 'n1.blog.secret-db.log' } }],
    ['${secret:db.log.user}', { verb: 'mesh-vault.secret', request: { key: 'n1.blog.secret-db.log' }, field: 'user' }],
    ['${bound:db.host}', { bucket: 'pg_bound', key: 'n1.blog.db', field: 'host' }],
    ['${bound:db.log.host}', { bucket: 'pg_bound', key: 'n1.blog.db.log', field: 'host' }],
    ['${consumers:route}', { verb: 'mesh-vault.consumers', request: { node: 'n1', module: 'blog', provision: 'route' } }],
    ['${collected:feeds}', { bucket: 'mesh-provisioner_collect', key: 'n1.feeds.*' }],
    ['${shell:zsh:normal}', { bucket: 'mesh-provisioner_collect', key: 'n1.shell=3Azsh=3Anormal.*' }],
    ['${environment:path}', { bucket: 'mesh-provisioner_collect', key: 'n1.environment=3Apath.*' }],
    ['${contribution:x}', { bucket: 'mesh-provisioner_collect', key: 'n1.contribution=3Ax.*' }],
  ])('is where the value of %s is found', (placeholder, where) => {
    expect(found(placeholder, pg)).toEqual(where);
  });

  it.each([
    ['${dir:state}', '/srv/blog'],
    ['${port:http}', 8080],
    ['${access:admin}', 'lan'],
    ['${seat:front}', 'n9.my=20edge'],
    ['${seat:front.node}', 'n9'],
    ['${seat:front.module}', 'my edge'],
    ['${machine:address}', '10.0.0.1'],
    ['${machine:account}', 'mesh'],
  ])('is the value of %s itself, which the placement has', (placeholder, value) => {
    const placement = placed('n1.blog', { dirs: { state: '/srv/blog' }, ports: { http: 8080 }, access: { admin: 'lan' } });
    const others = [seat('front', 'n9', 'my edge'), machine('n1', { address: '10.0.0.1', account: 'mesh' })];
    expect(found(placeholder, placement, others)).toEqual({ value });
  });

  it.each([
    '${dir:none}',
    '${dir:constructor}',
    '${machine:owner}',
    '${seat:none}',
    '${bound:db.host}',
    '${bound:db}',
    '${secret:.}',
    '${nosuch:x}',
    '${open',
  ])('leaves out %s, which has no value, and is put all the same', (placeholder) => {
    const placement = placed('n1.blog', { dirs: { state: '/srv' } });
    expect(plan({ ...fills(placeholder), ...asks }, placement).values).toEqual({});
  });

  it('is in order, and of placeholders in paths, owners, contents and contributed items', () => {
    const composition = {
      ...fills('${config:c}', { path: '${config:b}', owner: '${config:a}' }),
      contributes: [{ collection: 'shell:zsh', item: { alias: ['${config:d}'] } }],
    };
    const { values, fills: put, collections } = plan(composition);
    expect(Object.keys(values)).toEqual(['config:a', 'config:b', 'config:c', 'config:d']);
    expect(put).toEqual(composition.fills);
    expect(collections).toEqual(composition.contributes);
  });

  it('names the keys of its build alone, with those they depend on', () => {
    const facts = [pg, had('n1.blog', 'b0'), published('blog.b0', needs('route')), seat('mesh-vault', 'n3', 'vault')];
    expect(plan(needs('mail', 'db'), ...facts).provisions).toEqual(['n1.blog.db', 'n1.blog.mail', 'n1.blog.secret-db']);
  });

  it('is evidenced by its module’s entries and those its values come from', () => {
    const { evidence } = plan(
      fills('${seat:front}${machine:address}'),
      at(3, seat('front', 'n9', 'edge')),
      at(4, machine('n1', { address: 'x' })),
    );
    expect(evidence.map(({ bucket, key, revision }) => `${bucket} ${key} ${revision}`)).toEqual([
      'mesh-controller_wants n1.blog 1',
      'mesh-host_haves n1.blog 1',
      'mesh-indexer_compositions blog.b1 1',
      'mesh-indexer_modules blog 1',
      'mesh-placement_machines n1 4',
      'mesh-placement_modules n1.blog 1',
      'mesh-placement_seats front 3',
    ]);
  });
});

describe('C6 what is asked of a provider', () => {
  const dependent = (...facts: readonly (EntryFact | readonly EntryFact[])[]) =>
    given(
      placed('n1.blog', { ports: { http: 8080 } }),
      wanted('n1.blog', 'b1'),
      known('blog', needs({ provision: 'db', with: { user: '${bound:secret-db.user}', port: '${port:http}' } })),
      runs('n2.pg'),
      known('pg', offers('db', { credential: 'pair', bound: true })),
      seat('mesh-vault', 'n3', 'vault'),
      facts.flat() as EntryFact[],
    );
  const provided = outcome('vault', 'n1.blog.secret-db', { generation: 2, value: { user: 'blog' } });
  const db = (kept: Parameters<typeof standing>[0], ...facts: EntryFact[]) =>
    composed(dependent(...facts), 'n1', standing(kept)).needs['n1.blog.db'];
  const secret = { 'n1.blog.secret-db': { provider: { node: 'n3', module: 'vault' }, generation: 2 } };
  const blocked = { blocked: { because: 'unfilled', placeholders: ['${bound:secret-db.user}'] }, unfilled: ['${bound:secret-db.user}'] };

  it('is filled from the placement at once, and from a dependency’s outcome once it is provided', () => {
    expect(db(secret, provided)).toMatchObject({ with: { user: 'blog', port: 8080 }, unfilled: [] });
    expect(db(secret, provided)).not.toHaveProperty('blocked');
    expect(db(secret, provided)?.evidence).toContainEqual({ bucket: 'vault_bound', key: 'n1.blog.secret-db', revision: 1 });
  });

  it('blocks the key while a dependency’s outcome is not there, and names it', () => {
    expect(db(secret)).toMatchObject({ ...blocked, with: { port: 8080 } });
  });

  it.each([
    ['of an older generation', outcome('vault', 'n1.blog.secret-db', { generation: 1, value: { user: 'blog' } })],
    ['that waits', outcome('vault', 'n1.blog.secret-db', { generation: 2, state: 'waits', value: { user: 'blog' } })],
    ['without the field', outcome('vault', 'n1.blog.secret-db', { generation: 2, value: { name: 'blog' } })],
    ['that cannot be read', unreadable(provided)],
  ])('is not filled from an outcome %s', (_, fact) => {
    expect(db(secret, fact)).toMatchObject(blocked);
  });

  it('is not filled from an outcome whose read is missing, nor from what the key does not depend on', () => {
    const picture = dependent(provided);
    picture.applyMissing({ type: 'missing', read: 'bound.vault', why: 'gone' });
    expect(composed(picture, 'n1', standing(secret)).needs['n1.blog.db']).toMatchObject(blocked);
    expect(db(secret, provided, ...known('pg', offers('db', { credential: 'none' })))).toMatchObject(blocked);
  });

  it('stays what it is for a key that is provided', () => {
    const kept = { ...secret, 'n1.blog.db': { provider: { node: 'n2', module: 'pg' }, with: { user: 'old', port: 80 } } };
    expect(db(kept)).toMatchObject({ with: { user: 'old', port: 80 }, unfilled: blocked.unfilled });
    expect(db(kept)).not.toHaveProperty('blocked');
    expect(db(kept, provided)).toMatchObject({ with: { user: 'blog', port: 8080 } });
  });

  it('blocks a key that stands and is not provided', () => {
    const asked = { ...secret, 'n1.blog.db': { provider: { node: 'n2', module: 'pg' }, provided: false, with: { user: 'old', port: 80 } } };
    expect(db(asked)).toMatchObject({ ...blocked, with: { port: 8080 } });
  });

  it('is filled from what the key depended on before while the offer cannot be read', () => {
    const kept = { ...secret, 'n1.blog.db': { provider: { node: 'n2', module: 'pg' }, dependsOn: ['n1.blog.secret-db'] } };
    expect(db(kept, provided, unreadable(published('pg.b1')))).toMatchObject({ with: { user: 'blog', port: 8080 }, unfilled: [] });
  });

  it('is left as it is while the entry of a seat it names cannot be read (P6)', () => {
    const facts = [...runs('n1.blog'), ...known('blog', needs({ provision: 'x', with: { to: '${seat:front}' } }))];
    const { needs: keys } = composed(given(facts, unreadable(seat('front', 'n9', 'edge'))));
    expect(keys['n1.blog.x']).toMatchObject({ leave: true, with: { to: '${seat:front}' } });
    expect(composed(given(facts, deleted(seat('front', 'n9', 'edge')))).needs['n1.blog.x']?.leave).toBe(false);
  });
});
