import { describe, expect, it } from 'vitest';
import type { EntryFact } from '../../src/machines/facts.ts';
import { bucketOf, type Touched } from '../../src/machines/picture.ts';
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

const blog = [...runs('n1.blog'), ...known('blog', needs('route'))];
const proxy = [...runs('n2.proxy'), ...known('proxy', offers('route'))];
const nodes = (touched: Touched) => [...touched.nodes].sort();

describe('the picture', () => {
  it('holds each entry as it stands now, with its revision', () => {
    const picture = given(
      at(3, wanted('n1.blog', 'b1')),
      at(9, wanted('n1.blog', 'b2')),
      wanted('n2.blog', 'b1'),
      deleted(wanted('n2.blog', 'b1')),
    );
    expect([...picture.entries(bucketOf.want)]).toEqual([['n1.blog', { revision: 9, value: { build: 'b2' } }]]);
    expect(picture.entries('mesh-provisioner_provisions').size).toBe(0);
  });

  it('keeps an entry that cannot be read as present (P6)', () => {
    const picture = given(unreadable(wanted('n1.blog', 'b1')));
    expect(picture.entry('want', 'n1.blog')).toEqual({ revision: 7, unreadable: { field: 'build', says: 'expected a string' } });
  });

  it('keeps provisions and asks as they are, and judges nothing for them', () => {
    const picture = given();
    for (const bucket of ['mesh-provisioner_provisions', 'mesh-router_asks']) {
      const touched = picture.apply({ type: 'entry', bucket, key: 'n1.blog.route', revision: 1, value: { state: 'open' } }, 0);
      expect(touched).toEqual({ nodes: new Set(), outcomes: [] });
      expect(picture.entries(bucket).get('n1.blog.route')).toEqual({ revision: 1, value: { state: 'open' } });
    }
  });

  it('knows which stream each bucket was last loaded from', () => {
    const picture = given();
    load(picture, 'asks', 'second');
    expect(picture.created('mesh-router_asks')).toBe('second');
    expect(picture.created('mesh-controller_wants')).toBe('first');
  });

  it('names the providers whose outcomes are to be read, from when they are first known to offer bound', () => {
    const picture = given(known('pg', offers('db', { bound: true })), known('dns', offers('name', { credential: 'none' })));
    expect([...picture.boundProviders()]).toEqual(['pg']);
    picture.apply(seat('mesh-vault', 'n3', 'safe'), 0);
    picture.apply(seat('front', 'n3', 'edge'), 0);
    picture.apply(deleted(published('pg.b1')), 0);
    expect([...picture.boundProviders()]).toEqual(['pg', 'safe']);
  });

  it('knows since when a module is gone from a node, at the earliest since the reads were loaded', () => {
    const picture = given(runs('n1.blog'));
    const place = { node: 'n1', module: 'blog' };
    const [placement, want, have] = runs('n1.blog').map(deleted) as [EntryFact, EntryFact, EntryFact];
    picture.apply(placement, 10);
    picture.apply(want, 20);
    expect(picture.goneSince(place)).toBeUndefined();
    picture.apply(have, 30);
    picture.apply(have, 40);
    expect(picture.goneSince(place)).toBe(30);
    load(picture, 'modules', 'first', 50);
    expect(picture.goneSince(place)).toBe(30);
    load(picture, 'wants', 'first', 60);
    expect(picture.goneSince(place)).toBe(60);
    picture.apply(unreadable(want), 70);
    expect(picture.goneSince(place)).toBeUndefined();
  });
});

describe('C9 a node is touched by a change of', () => {
  const touched = (facts: readonly EntryFact[], change: EntryFact, stands = standing()) => {
    const picture = given(facts);
    for (const node of picture.places.nodes()) composed(picture, node, stands);
    return nodes(picture.apply(change, 1));
  };

  it.each([
    ['its own placement', placed('n1.blog')],
    ['its own want', wanted('n1.blog', 'b2')],
    ['its own have', deleted(had('n1.blog', 'b1'))],
    ['its own machine', machine('n1', { address: 'x' })],
    ['the indexer’s entry of a module on it', indexed('blog', 'b2')],
    ['a composition of a build that counts on it', unreadable(published('blog.b1'))],
  ])('%s, and no other node is', (_, change) => {
    expect(touched([...blog, ...runs('n3.wiki'), ...known('wiki')], change)).toEqual(['n1']);
  });

  it('its modules’ builds, wherever they are', () => {
    expect(touched([...blog, placed('n2.blog'), had('n3.blog', 'b1')], indexed('blog', 'b2'))).toEqual(['n1', 'n2', 'n3']);
    expect(touched([...blog, placed('n2.blog'), had('n3.blog', 'b0')], published('blog.b1'))).toEqual(['n1', 'n2']);
  });

  it('no build that counts nowhere', () => {
    expect(touched(blog, published('blog.b9'))).toEqual([]);
  });

  it.each([
    ['its placement', deleted(placed('n2.proxy'))],
    ['its want', wanted('n2.proxy', 'b2')],
    ['its have', had('n2.proxy', 'b1', 'failed')],
    ['its indexer entry', indexed('proxy', 'b2')],
    ['its composition', published('proxy.b1')],
  ])('a provider that its keys have: %s', (_, change) => {
    expect(touched([...blog, ...proxy, ...runs('n3.wiki')], change)).toEqual(['n1', 'n2']);
  });

  it('a provider of a key that only stands, and of one that has not let go of it', () => {
    const facts = [...runs('n1.blog'), ...known('blog'), ...runs('n2.proxy'), ...runs('n3.proxy'), ...known('proxy', offers('route'))];
    const stands = standing({
      'n1.blog.route': { provider: { node: 'n2', module: 'proxy' }, former: [{ node: 'n3', module: 'proxy' }] },
    });
    const only = given(facts);
    composed(only, 'n1', stands);
    expect(nodes(only.apply(had('n2.proxy', 'b1', 'failed'), 1))).toEqual(['n1', 'n2']);
    expect(nodes(only.apply(had('n3.proxy', 'b1', 'failed'), 1))).toEqual(['n1', 'n3']);
    composed(only, 'n1');
    expect(nodes(only.apply(had('n3.proxy', 'b1'), 1))).toEqual(['n3']);
  });

  it('a provision for which it seeks a provider: offered, offered no more, or elsewhere too', () => {
    expect(touched([...blog, ...runs('n2.proxy'), indexed('proxy', 'b1')], published('proxy.b1', offers('route')))).toEqual(['n1', 'n2']);
    expect(touched([...blog, ...known('proxy', offers('route'))], wanted('n2.proxy', 'b1'))).toEqual(['n1', 'n2']);
    const several = [...blog, ...proxy, had('n3.proxy', 'b1')];
    expect(touched(several, published('proxy.b1'))).toEqual(['n1', 'n2', 'n3']);
    expect(touched(several, deleted(had('n3.proxy', 'b1')))).toEqual(['n1', 'n3']);
  });

  it('no further offer of a provision for which it has a provider', () => {
    expect(touched([...blog, ...proxy], had('n3.proxy', 'b1'))).toEqual(['n3']);
  });

  it('a seat that its keys or plans name, and the vault’s where they need a credential', () => {
    const front = [...runs('n1.blog'), ...known('blog', fills('${seat:front.node}'))];
    expect(touched(front, seat('front', 'n2', 'edge'))).toEqual(['n1']);
    const asks = [...runs('n1.blog'), ...known('blog', needs({ provision: 'x', with: { to: '${seat:front}' } }))];
    expect(touched(asks, seat('front', 'n2', 'edge'))).toEqual(['n1']);
    expect(touched(front, seat('mesh-vault', 'n2', 'safe'))).toEqual([]);
    const secret = [...blog, ...runs('n2.proxy'), ...known('proxy', offers('route', { credential: 'secret' }))];
    expect(touched(secret, seat('mesh-vault', 'n2', 'safe'))).toEqual(['n1']);
  });
});

describe('an outcome', () => {
  it('touches its key alone', () => {
    const picture = given(blog, proxy);
    composed(picture);
    for (const fact of [
      outcome('proxy', 'n1.blog.route'),
      unreadable(outcome('proxy', 'n1.blog.route')),
      deleted(outcome('proxy', 'n1.blog.route')),
    ]) {
      expect(picture.apply(fact, 1)).toEqual({ nodes: new Set(), outcomes: [{ node: 'n1', key: 'n1.blog.route' }] });
    }
  });

  it('touches its node while a `with` there waits for it', () => {
    const asks = known('blog', needs({ provision: 'route', with: { user: '${bound:secret-route.user}' } }));
    const picture = given(
      blog,
      proxy,
      asks,
      known('proxy', offers('route', { credential: 'pair', bound: true })),
      seat('mesh-vault', 'n3', 'vault'),
    );
    composed(picture);
    const touched = picture.apply(outcome('vault', 'n1.blog.secret-route'), 1);
    expect(touched).toEqual({ nodes: new Set(['n1']), outcomes: [] });
    expect(picture.apply(outcome('proxy', 'n1.blog.route'), 1).outcomes).toHaveLength(1);
  });

  it('is judged again for every key of its provider as its read is loaded or missing', () => {
    const picture = given(blog, proxy, runs('n3.wiki'));
    for (const node of ['n1', 'n2', 'n3']) composed(picture, node);
    expect(nodes(load(picture, 'bound.proxy'))).toEqual(['n1']);
    expect(nodes(picture.applyMissing({ type: 'missing', read: 'bound.proxy', why: 'gone' }))).toEqual(['n1']);
    expect(nodes(picture.applyMissing({ type: 'missing', read: 'wants', why: 'gone' }))).toEqual([]);
  });
});
