import { describe, expect, it } from 'vitest';
import { answerOf } from '../../src/machines/answers.ts';
import type { EntryFact } from '../../src/machines/facts.ts';
import { deleted, given, had, load, outcome, unreadable, wanted } from './given.ts';

const key = 'n1.blog.route';
const provider = { node: 'n2', module: 'proxy' };
const evidence = [{ bucket: 'proxy_bound', key, revision: 1 }];

describe('K1 a bound provider answers by its outcome', () => {
  const answer = (picture: ReturnType<typeof given>) => answerOf(picture, { key, provider, bound: true });
  const loaded = (...facts: Parameters<typeof given>) => {
    const picture = given(...facts);
    load(picture, 'bound.proxy');
    return picture;
  };

  it.each(['provided', 'failed', 'waits'] as const)('that is %s, with its generation and words', (state) => {
    const said = outcome('proxy', key, { state, generation: 4, why: 'no room' });
    expect(answer(loaded(said))).toEqual({ state, generation: 4, says: 'no room', evidence });
  });

  it('of which nothing is known while its read is not loaded, or is missing again', () => {
    const picture = given(outcome('proxy', key));
    expect(answer(picture)).toEqual({ state: 'unknown', evidence });
    load(picture, 'bound.proxy');
    expect(answer(picture).state).toBe('provided');
    picture.applyMissing({ type: 'missing', read: 'bound.proxy', why: 'gone' });
    expect(answer(picture).state).toBe('unknown');
  });

  it('of which nothing is known while it cannot be read', () => {
    expect(answer(loaded(unreadable(outcome('proxy', key)))).state).toBe('unknown');
  });

  it('that is of another key or another provider not at all', () => {
    expect(answer(loaded(outcome('proxy', 'n1.blog.route.www'), outcome('edge', key)))).toEqual({
      state: 'none',
      proven: true,
      evidence: [],
    });
  });
});

describe('K7 an outcome that is not there is proved gone', () => {
  const provided = () => {
    const picture = given(outcome('proxy', key));
    load(picture, 'bound.proxy', 'first');
    return picture;
  };
  const proven = (picture: ReturnType<typeof given>) => answerOf(picture, { key, provider, bound: true });
  const gone = deleted(outcome('proxy', key));
  const lose = (picture: ReturnType<typeof given>) => picture.applyMissing({ type: 'missing', read: 'bound.proxy', why: 'gone' });

  it('when it was deleted live', () => {
    const picture = provided();
    picture.apply(gone, 1);
    expect(proven(picture)).toMatchObject({ state: 'none', proven: true });
  });

  it('when a load of the same stream lacks it', () => {
    const picture = provided();
    lose(picture);
    picture.apply(gone, 1);
    load(picture, 'bound.proxy', 'first');
    expect(proven(picture)).toMatchObject({ state: 'none', proven: true });
  });

  it('not when its stream was recreated without it, however often it is loaded again', () => {
    const picture = provided();
    lose(picture);
    picture.apply(gone, 1);
    load(picture, 'bound.proxy', 'second');
    expect(proven(picture)).toMatchObject({ state: 'none', proven: false });
    lose(picture);
    load(picture, 'bound.proxy', 'second');
    expect(proven(picture)).toMatchObject({ state: 'none', proven: false });
  });

  it('when it was put and deleted in the recreated stream, or deleted there live', () => {
    const picture = provided();
    lose(picture);
    picture.apply(gone, 1);
    load(picture, 'bound.proxy', 'second');
    picture.apply(gone, 2);
    expect(proven(picture)).toMatchObject({ state: 'none', proven: true });
  });

  it('when a load of the recreated stream lacks what was put in it again', () => {
    const picture = provided();
    lose(picture);
    picture.apply(gone, 1);
    picture.apply(outcome('proxy', key), 1);
    load(picture, 'bound.proxy', 'second');
    expect(proven(picture).state).toBe('provided');
    lose(picture);
    picture.apply(gone, 2);
    load(picture, 'bound.proxy', 'second');
    expect(proven(picture)).toMatchObject({ state: 'none', proven: true });
  });
});

describe('K7 what was proved gone', () => {
  it('is so still when its stream is recreated later, and again for what was put between', () => {
    const picture = given(outcome('proxy', key));
    const answer = () => answerOf(picture, { key, provider, bound: true });
    const reload = (created: string, ...facts: EntryFact[]) => {
      picture.applyMissing({ type: 'missing', read: 'bound.proxy', why: 'gone' });
      for (const fact of facts) picture.apply(fact, 1);
      load(picture, 'bound.proxy', created);
    };
    reload('first');
    reload('first', deleted(outcome('proxy', key)));
    reload('second');
    expect(answer()).toMatchObject({ state: 'none', proven: true });
    picture.apply(outcome('proxy', key), 2);
    reload('third', deleted(outcome('proxy', key)));
    expect(answer()).toMatchObject({ state: 'none', proven: false });
    picture.apply(outcome('proxy', key), 3);
    reload('third', deleted(outcome('proxy', key)));
    expect(answer()).toMatchObject({ state: 'none', proven: true });
  });
});

describe('K2 any other provider answers by how it is', () => {
  const answer = (...facts: Parameters<typeof given>) => answerOf(given(...facts), { key, provider, bound: false });
  const want = wanted('n2.proxy', 'b1');

  it('healthy at its wanted build is provided, for every generation', () => {
    expect(answer(want, had('n2.proxy', 'b1'))).toEqual({
      state: 'provided',
      generation: 'every',
      says: '',
      evidence: [
        { bucket: 'mesh-controller_wants', key: 'n2.proxy', revision: 1 },
        { bucket: 'mesh-host_haves', key: 'n2.proxy', revision: 1 },
      ],
    });
  });

  it('failed is failed, with its words', () => {
    expect(answer(want, had('n2.proxy', 'b1', 'failed', 'port in use'))).toMatchObject({ state: 'failed', says: 'port in use' });
  });

  it.each([
    ['does not run', [want]],
    ['is starting', [want, had('n2.proxy', 'b1', 'starting')]],
    ['is unhealthy', [want, had('n2.proxy', 'b1', 'unhealthy')]],
    ['runs b0, not b1 as wanted', [want, had('n2.proxy', 'b0')]],
    ['runs b1 and is not wanted', [had('n2.proxy', 'b1')]],
  ])('one that %s waits', (says, facts) => {
    expect(answer(facts)).toMatchObject({ state: 'waits', generation: 'every', says });
  });

  it.each([
    ['have', [want, unreadable(had('n2.proxy', 'b1'))]],
    ['want', [unreadable(want), had('n2.proxy', 'b1')]],
  ])('one whose %s cannot be read is unknown', (_, facts) => {
    expect(answer(facts).state).toBe('unknown');
  });
});
