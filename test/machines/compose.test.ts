import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EntryFact } from '../../src/machines/facts.ts';
import { bucketOf } from '../../src/machines/picture.ts';
import {
  at,
  composed,
  deleted,
  fills,
  given,
  had,
  indexed,
  known,
  load,
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

const route = [...runs('n1.proxy'), ...known('proxy', offers('route'))];

describe('C1 considered on a node', () => {
  it.each([
    ['placed', placed('n1.blog')],
    ['wanted', wanted('n1.blog', 'b1')],
    ['had', had('n1.blog', 'b1')],
    ['placed by an entry that cannot be read', unreadable(placed('n1.blog'))],
  ])('is every module %s there', (_, fact) => {
    expect(Object.keys(composed(given(fact)).consumers)).toEqual(['n1.blog']);
  });

  it('is no module of another node, nor one that was removed', () => {
    const picture = given(placed('n2.blog'), placed('n1.wiki'), deleted(placed('n1.wiki')));
    expect(composed(picture).consumers).toEqual({});
  });

  it('is named as it is, its key by tokens', () => {
    const { consumers, needs: needed } = composed(
      given(runs('n1.my=20app'), indexed('my=20app', 'b1'), published('my=20app.b1', needs('a.b'))),
    );
    expect(consumers['n1.my=20app']?.module).toBe('my app');
    expect(needed['n1.my=20app.a=2Eb']).toMatchObject({ module: 'my app', provision: 'a.b' });
  });
});

describe('C2 a module is composed at its wanted, its newest and its running build', () => {
  const three = [
    wanted('n1.blog', 'b2'),
    had('n1.blog', 'b1'),
    indexed('blog', 'b3'),
    published('blog.b1', needs('one', 'all')),
    published('blog.b2', needs('two', 'all')),
    published('blog.b3', needs('three', 'all')),
    published('blog.b0', needs('none')),
  ];

  it('needs what any of them needs, and says which', () => {
    const { needs: needed } = composed(given(three));
    expect(Object.entries(needed).map(([key, { builds }]) => [key, builds])).toEqual([
      ['n1.blog.all', ['b1', 'b2', 'b3']],
      ['n1.blog.one', ['b1']],
      ['n1.blog.three', ['b3']],
      ['n1.blog.two', ['b2']],
    ]);
  });

  it('needs nothing of its newest build where it is neither placed nor wanted', () => {
    const { needs: needed, consumers } = composed(given(three, deleted(three[0]!)));
    expect(Object.keys(needed)).toEqual(['n1.blog.all', 'n1.blog.one']);
    expect(consumers['n1.blog']).not.toHaveProperty('newest');
  });

  it('is asked in the words of the wanted build, else the running one, else the newest', () => {
    const words = (size: number) => needs({ provision: 'db', with: { size } });
    const said = (...facts: EntryFact[]) =>
      composed(given(wanted('n1.blog', 'b2'), had('n1.blog', 'b1'), indexed('blog', 'b3'), facts)).needs;
    const [one, two, three] = [published('blog.b1', words(1)), published('blog.b2', words(2)), published('blog.b3', words(3))];
    expect(said(one, two, three)['n1.blog.db']?.with).toEqual({ size: 2 });
    expect(said(one, published('blog.b2'), three)['n1.blog.db']).toMatchObject({ with: { size: 1 }, builds: ['b1', 'b3'] });
    expect(said(three)['n1.blog.db']?.with).toEqual({ size: 3 });
  });

  it('has a key for each local of a provision', () => {
    const two = needs({ provision: 'db', local: 'main' }, { provision: 'db', local: 'log' });
    expect(Object.keys(composed(given(runs('n1.blog'), known('blog', two))).needs)).toEqual(['n1.blog.db.log', 'n1.blog.db.main']);
  });
});

describe('C3 a module is held', () => {
  const whole = [...runs('n1.blog'), ...known('blog', needs('route'))];
  const hold = (...facts: (EntryFact | EntryFact[])[]) => composed(given(...facts)).consumers['n1.blog']?.hold;

  it('not while its picture is whole', () => {
    expect(hold(whole)).toBeUndefined();
  });

  it.each([
    ['its placement', placed('n1.blog')],
    ['its want', wanted('n1.blog', 'b1')],
    ['its have', had('n1.blog', 'b1')],
    ['its indexer entry', indexed('blog')],
    ['a composition of its builds', published('blog.b1')],
  ])('while %s cannot be read, saying which entry and field (P6)', (_, fact) => {
    const { bucket, key } = fact;
    expect(hold(whole, unreadable(fact))).toEqual({
      because: 'unreadable',
      bucket,
      key,
      revision: 7,
      field: 'build',
      says: 'expected a string',
    });
  });

  it.each([
    ['it has no entry', whole.filter(({ bucket }) => bucket !== bucketOf.indexed)],
    ['its entry names none', [...whole, indexed('blog')]],
    ['its entry lists none', [...whole, indexed('blog', undefined, [])]],
  ])('while the indexer names no build: %s', (_, facts) => {
    expect(hold(facts)).toEqual({ because: 'no-build', module: 'blog' });
  });

  it('not for want of a newest build where builds are listed', () => {
    expect(hold(whole, indexed('blog', undefined, ['b1']))).toBeUndefined();
  });

  it('while the composition of a wanted, running or newest build is not published', () => {
    expect(hold(whole, wanted('n1.blog', 'b2'))).toEqual({ because: 'unpublished', module: 'blog', builds: ['b2'] });
    expect(hold(whole, had('n1.blog', 'b0'))).toEqual({ because: 'unpublished', module: 'blog', builds: ['b0'] });
    expect(hold(whole, indexed('blog', 'b3'))).toEqual({ because: 'unpublished', module: 'blog', builds: ['b3'] });
  });

  it('as unread while none of its builds is published, or none is known (C4)', () => {
    expect(hold(whole, deleted(published('blog.b1')))).toEqual({ because: 'unread', module: 'blog', builds: ['b1'] });
    expect(hold(placed('n1.blog'), indexed('blog', undefined, ['b1']))).toEqual({ because: 'unread', module: 'blog', builds: [] });
  });

  it('with every need of a build that is published still needed', () => {
    const { needs: needed } = composed(given(whole, wanted('n1.blog', 'b2'), route));
    expect(needed['n1.blog.route']).toMatchObject({ builds: ['b1'], provider: { node: 'n1', module: 'proxy' } });
  });

  it('alone: its neighbours are not', () => {
    const { consumers } = composed(given(whole, wanted('n1.blog', 'b2'), route));
    expect(consumers['n1.proxy']).not.toHaveProperty('hold');
  });

  it('for the first reason that holds', () => {
    const bad = [wanted('n1.blog', 'b2'), unreadable(had('n1.blog', 'b1')), indexed('blog'), placed('n1.BLOG')];
    expect(hold(bad)?.because).toBe('unreadable');
    expect(hold(bad, had('n1.blog', 'b1'))?.because).toBe('names-clash');
    expect(hold(bad.slice(0, 3), had('n1.blog', 'b1'))?.because).toBe('no-build');
    expect(hold(bad.slice(0, 1), indexed('blog', 'b1'))?.because).toBe('unread');
    expect(hold(bad.slice(0, 1), known('blog'))?.because).toBe('unpublished');
  });

  it('with a module of the same node whose name differs in case alone, both of them (S65)', () => {
    const { consumers } = composed(given(whole, runs('n1.Blog'), known('Blog'), runs('n2.BLOG'), known('BLOG')));
    expect(consumers['n1.blog']?.hold).toEqual({ because: 'names-clash', other: 'Blog' });
    expect(consumers['n1.Blog']?.hold).toEqual({ because: 'names-clash', other: 'blog' });
  });

  it('counts a composition that cannot be read as no need, and what another build needs as needed (S34)', () => {
    const { needs: needed } = composed(given(whole, wanted('n1.blog', 'b2'), unreadable(published('blog.b2'))));
    expect(needed['n1.blog.route']?.builds).toEqual(['b1']);
  });
});

describe('K8 evidence', () => {
  it('is each entry that a key was composed from, once and in order', () => {
    const { needs: needed } = composed(
      given(
        at(11, placed('n1.blog')),
        at(12, wanted('n1.blog', 'b1')),
        known(
          'blog',
          needs({ provision: 'route', with: { on: '${machine:address}', as: '${machine:account}', of: '${seat:front.node}' } }),
        ),
        route,
        at(13, machine('n1', { address: '::1' })),
        at(14, seat('front', 'n9', 'edge')),
      ),
    );
    expect(needed['n1.blog.route']?.evidence.map(({ bucket, key, revision }) => `${bucket} ${key} ${revision}`)).toEqual([
      'mesh-controller_wants n1.blog 12',
      'mesh-controller_wants n1.proxy 1',
      'mesh-host_haves n1.proxy 1',
      'mesh-indexer_compositions blog.b1 1',
      'mesh-indexer_compositions proxy.b1 1',
      'mesh-indexer_modules blog 1',
      'mesh-placement_machines n1 13',
      'mesh-placement_modules n1.blog 11',
      'mesh-placement_modules n1.proxy 1',
      'mesh-placement_seats front 14',
    ]);
  });
});

describe('K8 the evidence of a key', () => {
  it('is that of its own consumer and its own provider', () => {
    const picture = given(
      [...runs('n1.blog'), ...runs('n1.wiki'), ...runs('n1.post'), ...route].flat(),
      ...[known('blog', needs('route', 'mail')), known('wiki', needs('route')), known('post', offers('mail'))],
    );
    const wants = Object.values(composed(picture).needs).map(({ key, evidence }) => [
      key,
      evidence.filter(({ bucket }) => bucket === bucketOf.want).map((entry) => entry.key),
    ]);
    expect(wants).toEqual([
      ['n1.blog.mail', ['n1.blog', 'n1.post']],
      ['n1.blog.route', ['n1.blog', 'n1.proxy']],
      ['n1.wiki.route', ['n1.proxy', 'n1.wiki']],
    ]);
  });
});

describe('C9 composing is a function of the picture', () => {
  const everything: EntryFact[] = [
    ...['n1.blog', 'n1.wiki', 'n2.wiki', 'n1.proxy', 'n1.postgres', 'n3.vault', 'n2.proxy'].flatMap((key) => runs(key)),
    ...known('proxy', offers('route')),
    ...known('postgres', offers('database', { credential: 'pair', bound: true })),
    ...known('vault'),
    ...known('blog', {
      ...needs({ provision: 'database', with: { user: '${bound:secret-database.user}', on: '${machine:address}' } }, 'route'),
    }),
    ...known('wiki', { ...needs('database', { provision: 'route', local: 'www' }), ...fills('${secret:database.password} ${port:http}') }),
    published('wiki.b2', needs('mail')),
    wanted('n2.wiki', 'b2'),
    unreadable(had('n2.wiki', 'b1')),
    placed('n1.mail', { ports: { smtp: 25 } }),
    seat('mesh-vault', 'n3', 'vault'),
    machine('n1', { address: '10.0.0.1', account: 'mesh' }),
    outcome('vault', 'n1.blog.secret-database', { value: { user: 'blog' } }),
    outcome('proxy', 'n1.wiki.route.www', { state: 'waits', why: 'restarts' }),
  ].filter((fact, index, all) => all.findLastIndex(({ bucket, key }) => bucket === fact.bucket && key === fact.key) === index);
  const stands = standing({ 'n1.blog.secret-database': { provider: { node: 'n3', module: 'vault' } } });

  it('whatever the order in which it arrived, and whatever was there between', () => {
    const whole = ['n1', 'n2', 'n3'].map((node) => JSON.stringify(composed(given(everything), node, stands)));
    fc.assert(
      fc.property(
        fc.shuffledSubarray(everything, { minLength: everything.length }),
        fc.subarray(everything),
        (shuffled, removedAndPutBack) => {
          const picture = given(removedAndPutBack, removedAndPutBack.map(deleted), shuffled);
          for (const [index, node] of ['n1', 'n2', 'n3'].entries()) {
            expect(JSON.stringify(composed(picture, node, stands))).toBe(whole[index]);
          }
        },
      ),
      { seed: 20261102 },
    );
  });

  it('and judges the same however often it is asked', () => {
    const picture = given(everything);
    expect(composed(picture)).toEqual(composed(picture));
  });

  it('is plain JSON', () => {
    const one = composed(given(everything), 'n1', stands);
    expect(JSON.parse(JSON.stringify(one))).toStrictEqual(one);
  });

  it('needs no read to be loaded for what it composes, and knows no outcome of a read that is not', () => {
    const picture = given(everything);
    picture.applyMissing({ type: 'missing', read: 'bound.proxy', why: 'the stream is gone' });
    expect(composed(picture).needs['n1.wiki.route.www']?.answer.state).toBe('unknown');
    load(picture, 'bound.proxy');
    expect(composed(picture).needs['n1.wiki.route.www']?.answer).toMatchObject({ state: 'waits', generation: 1, says: 'restarts' });
  });
});
