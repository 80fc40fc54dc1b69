import { expect, it } from 'vitest';
import type { Move } from '../../src/kernel/moves.ts';
import type { DrivenKernel } from './driven-kernel.ts';
import { remove, standing } from './stories-mesh.ts';

it('a step tells the moves of every actor by its path, with the transitions that were taken and the state they led to (I3)', () => {
  const mesh = standing();
  const moves = movesOf(mesh);
  remove(mesh, 'n1', 'git');
  expect(moves.flat().map(line)).toEqual(
    expect.arrayContaining(['node.n1/n1.git.route: hold to held.dwelling', 'node.n1: key stands to judging']),
  );
  mesh.pass(61_000);
  const retired = moves.flat().filter(({ actor }) => actor.endsWith('n1.git.route') || actor.startsWith('supervisor/'));
  expect(retired.map(line)).toEqual(
    expect.arrayContaining([
      'node.n1/n1.git.route: retire to retiring.waiting.place',
      'supervisor/n1.git.route.g1: raise acknowledged to asked',
      'node.n1/n1.git.route: ask opened to retiring.asked',
    ]),
  );
});

it('an always-transition that follows an event belongs to the same move', () => {
  const mesh = standing();
  const moves = movesOf(mesh);
  remove(mesh, 'n1', 'git');
  const held = moves.flat().find(({ to }) => to === 'held.dwelling');
  expect(held?.taken).toEqual(['hold 0', 'held.choosing always 6']);
});

it('an event that an actor takes in where it stands is no move', () => {
  const mesh = standing();
  const moves = movesOf(mesh);
  mesh.put('mesh-host_haves', 'n1.git', { build: 'b1', state: 'starting', at: '2026-11-02T20:00:00.000Z' });
  expect(moves.flat().filter(({ taken }) => taken.length === 0)).toEqual([]);
  expect(moves.flat().filter(({ actor }) => actor === 'supervisor')).toEqual([]);
});

function movesOf({ kernel }: DrivenKernel): (readonly Move[])[] {
  const moves: (readonly Move[])[] = [];
  const step = kernel.step.bind(kernel);
  kernel.step = (sequence, record) => {
    const stepped = step(sequence, record);
    moves.push(stepped.moves);
    return stepped;
  };
  return moves;
}

function line({ actor, event, to }: Move): string {
  return `${actor}: ${event} to ${to}`;
}
