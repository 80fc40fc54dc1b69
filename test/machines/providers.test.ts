import { describe, expect, it } from 'vitest';
import type { StandingKey } from '../../src/machines/composed.ts';
import type { EntryFact } from '../../src/machines/facts.ts';
import type { Picture } from '../../src/machines/picture.ts';
import {
  composed,
  DWELL_MS,
  deleted,
  given,
  had,
  indexed,
  known,
  load,
  needs,
  offers,
  published,
  runs,
  seat,
  standing,
  unreadable,
  wanted,
} from './given.ts';

const blog = (need: Parameters<typeof needs>[0] = 'route') => [...runs('n1.blog'), ...known('blog', needs(need))];
const proxy = known('proxy', offers('route'));
const keyOf = (picture: Picture, kept?: Partial<StandingKey>, at = 0) =>
  composed(picture, 'n1', standing(kept && { 'n1.blog.route': kept }), at).needs['n1.blog.route']!;
const onN = (node: string, module = 'proxy') => ({ node, module });

describe('C5 the provider of a need', () => {
  it('is the one on the same node that offers it, though others do elsewhere', () => {
    const key = keyOf(given(blog(), proxy, runs('n1.proxy'), runs('n2.proxy'), runs('n3.proxy')));
    expect(key).toMatchObject({ provider: onN('n1') });
    expect(key).not.toHaveProperty('blocked');
  });

  it('else the only one in the mesh', () => {
    expect(keyOf(given(blog(), proxy, runs('n2.proxy'))).provider).toEqual(onN('n2'));
  });

  it('is none where nobody offers it, and says so', () => {
    const key = keyOf(given(blog()));
    expect(key.blocked).toEqual({ because: 'no-provider', provision: 'route' });
    expect(key).not.toHaveProperty('provider');
    expect(key.answer).toEqual({ state: 'none', proven: false, evidence: [] });
  });

  it('is none where several do, and says which, on the node first', () => {
    const several = given(blog(), proxy, runs('n3.proxy'), runs('n2.proxy'));
    expect(keyOf(several).blocked).toEqual({ because: 'several-providers', provision: 'route', places: [onN('n2'), onN('n3')] });
    const here = given(blog(), proxy, known('edge', offers('route')), runs('n1.proxy'), runs('n1.edge'), runs('n3.proxy'));
    expect(keyOf(here).blocked).toEqual({ because: 'several-providers', provision: 'route', places: [onN('n1', 'edge'), onN('n1')] });
  });

  it('is the other one of two on the node once one is gone', () => {
    const both = [...proxy, ...known('edge', offers('route')), ...runs('n1.proxy'), ...runs('n1.edge')];
    expect(keyOf(given(blog(), both, runs('n1.edge').map(deleted))).provider).toEqual(onN('n1'));
  });

  it('is not a place that its module has left', () => {
    expect(keyOf(given(blog(), proxy, runs('n2.proxy'), runs('n3.proxy'), runs('n3.proxy').map(deleted))).provider).toEqual(onN('n2'));
  });

  describe('that a need names', () => {
    const named = blog({ provision: 'route', provider: 'edge' });
    const edge = known('edge', offers('route'));

    it('is that module, on the same node first', () => {
      const picture = given(named, proxy, edge, runs('n1.proxy'), runs('n1.edge'), runs('n2.edge'));
      expect(keyOf(picture).provider).toEqual(onN('n1', 'edge'));
    });

    it('else the only place of it in the mesh that offers it', () => {
      expect(keyOf(given(named, proxy, edge, runs('n1.proxy'), runs('n2.edge'))).provider).toEqual(onN('n2', 'edge'));
    });

    it('is no other module, and says whom it waits for', () => {
      const picture = given(named, proxy, runs('n1.proxy'), runs('n2.edge'), known('edge'));
      expect(keyOf(picture).blocked).toEqual({ because: 'no-provider', provision: 'route', named: 'edge' });
    });

    it('is none where several places of it offer it', () => {
      const places = [onN('n2', 'edge'), onN('n3', 'edge')];
      expect(keyOf(given(named, edge, runs('n2.edge'), runs('n3.edge'))).blocked).toMatchObject({ because: 'several-providers', places });
    });

    it('is waited for while it is on the node and its offer cannot be read', () => {
      const unread = given(named, edge, indexed('edge', 'b9'), runs('n2.edge'), runs('n1.edge', 'b9'));
      expect(keyOf(unread)).toMatchObject({ blocked: { because: 'no-provider', named: 'edge' } });
    });
  });

  describe('offers what', () => {
    const moves = [wanted('n2.proxy', 'b2'), had('n2.proxy', 'b1'), indexed('proxy', 'b3')];
    const offered = (...facts: EntryFact[]) => keyOf(given(blog(), moves, facts)).provider;
    const [b1, b2, b3] = ['b1', 'b2', 'b3'].map((build) => published(`proxy.${build}`, offers('route')));
    const none = (build: string) => published(`proxy.${build}`);

    it('its wanted build offers where that is read, else its running one, else the newest', () => {
      expect(offered(none('b1'), b2!, none('b3'))).toEqual(onN('n2'));
      expect(offered(b1!, none('b2'), b3!)).toBeUndefined();
      expect(offered(b1!, none('b3'))).toEqual(onN('n2'));
      expect(offered(none('b1'), b3!)).toBeUndefined();
      expect(offered(b3!)).toEqual(onN('n2'));
    });
  });
});

describe('C5 a key keeps its provider', () => {
  const n2 = { provider: onN('n2') };

  it('though another appears on its own node', () => {
    expect(keyOf(given(blog(), proxy, runs('n2.proxy'), runs('n1.proxy')), n2).provider).toEqual(onN('n2'));
  });

  it('until that module has been gone from its node for the dwell, and is looked at again then', () => {
    const picture = given(blog(), proxy, runs('n2.proxy'), runs('n1.proxy'));
    for (const fact of runs('n2.proxy').map(deleted)) picture.apply(fact, 1000);
    const one = composed(picture, 'n1', standing({ 'n1.blog.route': n2 }), 1000 + DWELL_MS - 1);
    expect(one.needs['n1.blog.route']?.provider).toEqual(onN('n2'));
    expect(one.wakeAt).toBe(1000 + DWELL_MS);
    const two = composed(picture, 'n1', standing({ 'n1.blog.route': n2 }), 1000 + DWELL_MS);
    expect(two.needs['n1.blog.route']?.provider).toEqual(onN('n1'));
    expect(two).not.toHaveProperty('wakeAt');
  });

  it('and looks again at the first of several ends', () => {
    const picture = given(
      runs('n1.blog'),
      known('blog', needs('mail', 'route')),
      proxy,
      known('post', offers('mail')),
      runs('n2.proxy'),
      runs('n3.post'),
    );
    for (const fact of runs('n2.proxy').map(deleted)) picture.apply(fact, 2000);
    for (const fact of runs('n3.post').map(deleted)) picture.apply(fact, 1000);
    const stands = standing({ 'n1.blog.route': n2, 'n1.blog.mail': { provider: onN('n3', 'post') } });
    expect(composed(picture, 'n1', stands, 3000).wakeAt).toBe(1000 + DWELL_MS);
  });

  it('not for a dwell that a load of the reads began again', () => {
    const picture = given(blog(), proxy, runs('n1.proxy'), runs('n2.proxy'), runs('n2.proxy').map(deleted));
    load(picture, 'haves', 'first', 50_000);
    expect(keyOf(picture, n2, DWELL_MS).provider).toEqual(onN('n2'));
    expect(keyOf(picture, n2, 50_000 + DWELL_MS).provider).toEqual(onN('n1'));
  });

  it('while it is still had, or placed, or wanted there', () => {
    for (const left of runs('n2.proxy')) {
      const others = runs('n2.proxy').filter(({ bucket }) => bucket !== left.bucket);
      expect(keyOf(given(blog(), proxy, runs('n2.proxy'), runs('n1.proxy'), others.map(deleted)), n2, DWELL_MS * 9).provider).toEqual(
        onN('n2'),
      );
    }
  });

  it('where nobody else provides, though it is gone, and says that it lost it', () => {
    expect(keyOf(given(blog()), n2, DWELL_MS)).toMatchObject({ provider: onN('n2'), blocked: { because: 'no-provider' } });
  });

  it('until a read composition of its wanted build offers the provision no more', () => {
    const leaves = [...runs('n2.proxy'), wanted('n2.proxy', 'b2'), ...proxy, ...runs('n3.edge'), ...known('edge', offers('route'))];
    expect(keyOf(given(blog(), leaves), n2).provider).toEqual(onN('n2'));
    expect(keyOf(given(blog(), leaves, unreadable(published('proxy.b2'))), n2).provider).toEqual(onN('n2'));
    expect(keyOf(given(blog(), leaves, had('n2.proxy', 'b0'), published('proxy.b0')), n2).provider).toEqual(onN('n2'));
    expect(keyOf(given(blog(), leaves, published('proxy.b2')), n2).provider).toEqual(onN('n3', 'edge'));
  });

  it('until the need names another', () => {
    const picture = given(
      blog({ provision: 'route', provider: 'edge' }),
      proxy,
      runs('n2.proxy'),
      runs('n3.edge'),
      known('edge', offers('route')),
    );
    expect(keyOf(picture, n2).provider).toEqual(onN('n3', 'edge'));
  });
});

describe('C6 a credential', () => {
  const wiki = (offer: Parameters<typeof offers>[1]) => [
    ...runs('n1.wiki'),
    ...known('wiki', needs({ provision: 'db', local: 'main' })),
    ...runs('n2.pg'),
    ...known('pg', offers('db', offer)),
  ];
  const vault = [seat('mesh-vault', 'n3', 'vault'), ...runs('n3.vault'), ...known('vault')];
  const needed = (...facts: (EntryFact | EntryFact[])[]) => composed(given(...facts)).needs;

  it.each(['pair', 'secret'] as const)('of form %s is a key of its own, kept by the vault and bound', (credential) => {
    const keys = needed(wiki({ credential, bound: true }), vault);
    expect(keys['n1.wiki.db.main']?.dependsOn).toEqual(['n1.wiki.secret-db.main']);
    expect(keys['n1.wiki.secret-db.main']).toMatchObject({
      module: 'wiki',
      provision: 'secret-db',
      local: 'main',
      provider: { node: 'n3', module: 'vault' },
      bound: true,
      leave: false,
      with: {},
      builds: ['b1'],
      dependsOn: [],
    });
  });

  it('of form none is none', () => {
    const keys = needed(wiki({ credential: 'none' }), vault);
    expect(Object.keys(keys)).toEqual(['n1.wiki.db.main']);
    expect(keys['n1.wiki.db.main']?.dependsOn).toEqual([]);
  });

  it('whose form the offer does not say is the offer’s fault, once, and blocks the key', () => {
    const two = known('wiki', needs({ provision: 'db', local: 'main' }, { provision: 'db', local: 'log' }));
    const { needs: keys, offerFaults } = composed(given(wiki({ bound: true }), two, vault));
    expect(offerFaults).toEqual([{ provider: { node: 'n2', module: 'pg' }, provision: 'db', build: 'b1' }]);
    expect(keys['n1.wiki.db.main']?.blocked).toEqual({
      because: 'no-credential-form',
      provision: 'db',
      provider: { node: 'n2', module: 'pg' },
    });
  });

  it('waits while nobody holds the vault’s seat, and follows the seat', () => {
    const vacant = needed(wiki({ credential: 'pair' }))['n1.wiki.secret-db.main'];
    expect(vacant).toMatchObject({ blocked: { because: 'seat-vacant', seat: 'mesh-vault' }, leave: false });
    const kept = standing({ 'n1.wiki.secret-db.main': { provider: { node: 'n3', module: 'vault' } } });
    const moved = given(wiki({ credential: 'pair' }), seat('mesh-vault', 'n4', 'safe'));
    expect(composed(moved, 'n1', kept).needs['n1.wiki.secret-db.main']?.provider).toEqual({ node: 'n4', module: 'safe' });
  });

  it('is left as it is while the seat’s entry cannot be read, and nothing else is (P6)', () => {
    const kept = standing({ 'n1.wiki.secret-db.main': { provider: { node: 'n3', module: 'vault' } } });
    const { needs: keys } = composed(given(wiki({ credential: 'pair' }), unreadable(vault[0]!)), 'n1', kept);
    expect(keys['n1.wiki.secret-db.main']).toMatchObject({ leave: true, provider: { node: 'n3', module: 'vault' } });
    expect(keys['n1.wiki.db.main']?.leave).toBe(false);
  });

  describe('while its offer cannot be read (S33c)', () => {
    const stands = standing({
      'n1.wiki.db.main': { provider: { node: 'n2', module: 'pg' }, dependsOn: ['n1.wiki.secret-db.main'] },
      'n1.wiki.secret-db.main': { provider: { node: 'n3', module: 'vault' }, with: { length: 40 } },
    });
    const unread = [...wiki({ credential: 'pair', bound: true }), ...vault, ...runs('n2.pg', 'b2'), indexed('pg', 'b2')];

    it('is kept, and so is the provider; nothing is known of its answer', () => {
      const { needs: keys, offerFaults } = composed(given(unread.filter(({ key }) => key !== 'pg.b1')), 'n1', stands);
      expect(keys['n1.wiki.db.main']).toMatchObject({ provider: { node: 'n2', module: 'pg' }, answer: { state: 'unknown' } });
      expect(keys['n1.wiki.db.main']).not.toHaveProperty('blocked');
      expect(keys['n1.wiki.db.main']).not.toHaveProperty('dependsOn');
      expect(keys['n1.wiki.secret-db.main']).toMatchObject({ with: { length: 40 }, provider: { node: 'n3', module: 'vault' } });
      expect(offerFaults).toEqual([]);
    });

    it('is as its running build offers it, if that is read', () => {
      const { needs: keys } = composed(given(unread, had('n2.pg', 'b1')), 'n1', stands);
      expect(keys['n1.wiki.db.main']).toMatchObject({ bound: true, dependsOn: ['n1.wiki.secret-db.main'] });
    });

    it.each([
      [true, { state: 'unknown' }],
      [false, { state: 'provided', generation: 'every' }],
    ])('is answered as it was before: bound %s', (bound, answer) => {
      const kept = { ...stands.keys, 'n1.wiki.db.main': { ...stands.keys['n1.wiki.db.main'], bound } };
      expect(composed(given(unread.filter(({ key }) => key !== 'pg.b1')), 'n1', standing(kept)).needs['n1.wiki.db.main']).toMatchObject({
        bound,
        answer,
      });
    });

    it('is kept where the offer says no form', () => {
      const { needs: keys } = composed(given(wiki({ bound: true }), vault), 'n1', stands);
      expect(keys['n1.wiki.db.main']).not.toHaveProperty('dependsOn');
      expect(keys).toHaveProperty(['n1.wiki.secret-db.main']);
    });
  });

  it('that a build needs by itself is asked in its words', () => {
    const both = known('wiki', needs({ provision: 'db' }, { provision: 'secret-db', with: { length: 12 } }));
    const keys = needed(wiki({ credential: 'pair' }), both, vault);
    expect(keys['n1.wiki.secret-db']?.with).toEqual({ length: 12 });
  });
});
