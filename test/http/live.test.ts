import { describe, expect, it } from 'vitest';
import type { Frame, Present, Tile } from '../../src/http/live/frames.ts';
import type { DrivenKernel } from '../kernel/driven-kernel.ts';
import { add, remove, standing } from '../kernel/stories-mesh.ts';
import { follow, liveOver } from './followed.ts';

describe('the stream', () => {
  it('opened late, begins with the present: every node with its keys by state, gate, faults and asks', () => {
    const mesh = standing();
    remove(mesh, 'n1', 'git');
    mesh.pass(61_000);
    const [reset] = follow(liveOver(mesh).live).messages;
    expect(reset).toMatchObject({ event: 'reset', data: { isWhole: true, head: { gate: { open: true, missing: [] }, faultsTotal: 0 } } });
    const present = reset?.data as Present;
    expect(present.tiles.map(({ node }) => node)).toEqual(['n1', 'n2', 'n3', 'n4']);
    expect(present.tiles[0]).toMatchObject({ state: 'retiring', counts: { provided: 11, retiring: 1, failed: 0 }, isBraked: false });
    expect(present.head?.asks.open).toMatchObject([{ id: 'n1.git.route.g1', subject: 'n1.git.route' }]);
  });

  it('tells each turn with its facts, moves and effects, under the ids of the journal', () => {
    const mesh = standing();
    const { messages } = follow(liveOver(mesh).live);
    remove(mesh, 'n1', 'git');
    const turns = messages.filter(({ event }) => event === 'turn');
    for (const { id, data } of turns) expect(id).toBe(`${(data as Frame).seq}.${(data as Frame).lines.at(-1)?.n}`);
    const lines = turns.flatMap(({ data }) => (data as Frame).lines);
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'fact', what: 'entry', node: 'n1', key: 'n1.git' }),
        expect.objectContaining({ kind: 'move', what: 'hold', actor: 'node.n1/n1.git.route', to: 'held.dwelling' }),
        expect.objectContaining({ kind: 'effect', what: 'put', node: 'n1', key: 'n1.git.route' }),
      ]),
    );
  });

  it('sends what changed of the present together, and only that', () => {
    const mesh = standing();
    const { live, clock } = liveOver(mesh);
    const followed = follow(live);
    remove(mesh, 'n1', 'git');
    add(mesh, 'n5', 'git');
    expect(followed.of('present')).toEqual([]);
    clock.advance(40);
    const [{ data } = { data: undefined }] = followed.of('present');
    expect(data).toMatchObject({
      isWhole: false,
      tiles: [
        { node: 'n1', counts: { held: 1 } },
        { node: 'n5', counts: { judging: 1 } },
      ],
    });
    expect(followed.of('present')).toHaveLength(1);
  });

  it('says that a node is gone, once nothing of it is left', () => {
    const mesh = standing();
    add(mesh, 'n5', 'git');
    const { live, clock } = liveOver(mesh);
    const followed = follow(live);
    remove(mesh, 'n5', 'git');
    mesh.pass(61_000);
    mesh.answer('n5.git.route.g1', 'Approve');
    clock.advance(40);
    mesh.delete('router_bound', 'n5.git.route');
    clock.advance(40);
    expect(followed.of('present').at(-1)?.data.gone).toEqual(['n5']);
  });

  it('what it tells bit by bit comes to what it tells at once', () => {
    const mesh = standing();
    const { live, clock } = liveOver(mesh);
    const followed = follow(live);
    const tiles = new Map(wholeOf(followed.messages[0]?.data).map((tile) => [tile.node, tile]));
    for (const module of ['git', 'chat', 'dns', 'mail', 'blog']) remove(mesh, 'n1', module);
    mesh.pass(30_000);
    add(mesh, 'n1', 'dns', 'b2');
    mesh.lose('wants');
    mesh.load('wants');
    mesh.pass(90_000);
    clock.advance(40);
    for (const { data } of followed.of('present')) {
      for (const tile of (data as Present).tiles) tiles.set(tile.node, tile);
      for (const node of (data as Present).gone) tiles.delete(node);
    }
    expect([...tiles.values()]).toEqual(wholeOf(live.present()));
    expect(tiles.get('n1')?.isBraked).toBe(true);
  });
});

describe('coming back', () => {
  it('to a place that is kept gives every turn behind it, each once', () => {
    const mesh = standing();
    const { live } = liveOver(mesh);
    const first = follow(live);
    remove(mesh, 'n1', 'git');
    const seen = first.of('turn').at(-1)!;
    first.stop();
    add(mesh, 'n1', 'git');
    mesh.pass(1_000);
    const second = follow(live, seen.id);
    expect(second.of('reset')).toEqual([]);
    expect(second.of('turn')[0]?.data.seq).toBe(seen.data.seq + 1);
    expect(second.of('present')[0]?.data).toEqual(live.present());
    const whole = follow(live, first.of('turn')[0]?.id);
    expect([first.of('turn')[0], ...whole.of('turn')]).toEqual([...first.of('turn'), ...second.of('turn')]);
  });

  it.each([
    ['older than what is kept', '1.0'],
    ['of another journal, that went further', '999999.0'],
    ['that is none', 'x'],
  ])('to a place %s gives the present instead', (_, id) => {
    const mesh = standing();
    const { live } = liveOver(mesh);
    remove(mesh, 'n1', 'git');
    expect(follow(live, id).messages[0]?.event).toBe('reset');
  });

  it('to a place that was dropped for newer ones gives the present', () => {
    const mesh = standing();
    const { live } = liveOver(mesh);
    const first = follow(live);
    mesh.facts([{ type: 'due', owner: 'node.n1' }]);
    const id = first.of('turn').at(-1)?.id;
    mesh.facts([{ type: 'due', owner: 'node.n1' }]);
    expect(follow(live, id).messages[0]?.event).toBe('turn');
    for (let turn = 0; turn < 12; turn += 1) large(mesh);
    expect(follow(live, id).messages[0]?.event).toBe('reset');
  });

  it('after a seat that was lost gives the present of the new one', () => {
    const mesh = standing();
    const { live } = liveOver(mesh);
    const followed = follow(live);
    live.away('the seat is lost: fenced');
    expect(followed.of('away').at(-1)?.data).toEqual({ says: 'the seat is lost: fenced', since: mesh.now });
    expect(follow(live).messages[0]?.event).toBe('away');
    live.held(mesh.kernel);
    expect(followed.messages.at(-1)?.event).toBe('reset');
  });
});

it('a turn too large for the log says how much of it is left out', () => {
  const mesh = standing();
  const { live } = liveOver(mesh);
  const followed = follow(live);
  large(mesh);
  const frames = followed.of('turn').map(({ data }) => data as Frame);
  expect(frames.flatMap(({ lines }) => lines)).toHaveLength(2_000);
  expect(frames.at(-1)?.leftOut).toBeGreaterThanOrEqual(1_000);
});

it('speaks every two seconds to whoever follows, and to nobody else', () => {
  const mesh = standing();
  const { live, clock } = liveOver(mesh);
  const followed = follow(live);
  for (let beat = 0; beat < 3; beat += 1) clock.advance(2_000);
  expect(followed.of('beat')).toHaveLength(4);
  followed.stop();
  clock.advance(2_000);
  expect(followed.of('beat')).toHaveLength(4);
});

function large(mesh: DrivenKernel): void {
  mesh.facts(Array.from({ length: 3_000 }, () => ({ type: 'withheld', effect: '0.0', says: 'no' })));
}

function wholeOf(present: unknown): readonly Tile[] {
  return (present as Present).tiles;
}
