import { describe, expect, it } from 'vitest';
import { NO_TOTALS, NOTHING_COUNTED, type NodeCounts, scopesOver, sum, totalsOf } from '../../src/machines/mesh-counts.ts';
import { DrivenSupervisor, question } from './driven-supervisor.ts';

const MINUTE = 60_000;
const newly = (...consumers: string[]): Partial<NodeCounts> => ({ newly: consumers, ready: consumers, left: consumers });

/** A mesh of nodes `n1` … with one consumer each, all judged. */
const fleet = (nodes: number) => {
  const seat = new DrivenSupervisor().open();
  for (let node = 1; node <= nodes; node += 1) count(seat, `n${node}`, {});
  return seat;
};
const count = (seat: DrivenSupervisor, node: string, counts: Partial<NodeCounts>) =>
  seat.send({ type: 'node counted', node, counts: { ...NOTHING_COUNTED, present: 1, ...counts } });
/** Node by node, its one consumer of this module would retire. */
const vanish = (seat: DrivenSupervisor, from: number, to: number, module = 'm') => {
  for (let node = from; node <= to; node += 1) count(seat, `n${node}`, newly(`n${node}.${module}${module === 'm' ? node : ''}`));
  return seat;
};
const faults = (seat: DrivenSupervisor) => Object.keys(seat.context.faults).sort();

describe('B4 too much of the mesh at once', () => {
  const over = (taken: number, of: number, nodes = taken) => {
    const counts = { ...NO_TOTALS, present: of, newly: taken, taken, nodes };
    return scopesOver(counts, of).includes('all');
  };

  it.each([
    [1, 1, false],
    [1, 2, false],
    [2, 4, false],
    [3, 6, false],
    [5, 10, false],
    [50, 100, false],
    [2, 2, true],
    [2, 3, true],
    [3, 5, true],
    [6, 10, true],
    [51, 100, true],
  ])('is %i of %i: %s', (taken, of, too) => {
    expect(over(taken, of)).toBe(too);
  });

  it('is not what is on one node alone, which its own brake answers', () => {
    expect(over(6, 9, 1)).toBe(false);
    expect(over(6, 9, 2)).toBe(true);
  });

  it('is of one module with no needed key left on 3 nodes, of however many consumers', () => {
    const on = (nodes: number, left = true) => {
      let totals = { ...NO_TOTALS, present: 1000 };
      for (let node = 0; node < nodes; node += 1) {
        const consumer = `n${node}.dns`;
        totals = sum(totals, totalsOf({ ...NOTHING_COUNTED, newly: [consumer], left: left ? [consumer] : [] }, 0));
      }
      return scopesOver(totals, 1000);
    };
    expect(on(2)).toEqual([]);
    expect(on(3)).toEqual(['module.dns']);
    expect(on(3, false)).toEqual([]);
  });
});

describe('B4 the brake over the mesh', () => {
  it('stands from the first that would retire, with every consumer, and makes the nodes it is about be judged again', () => {
    const seat = fleet(10);
    vanish(seat, 1, 5);
    expect(faults(seat)).toEqual([]);
    seat.wakes = [];
    vanish(seat, 6, 6);
    expect(faults(seat)).toEqual(['mesh-brake.all']);
    expect(seat.context.faults['mesh-brake.all']).toMatchObject({
      kind: 'mesh-brake',
      consumers: ['n1.m1', 'n2.m2', 'n3.m3', 'n4.m4', 'n5.m5', 'n6.m6'],
    });
    expect(seat.wakes).toHaveLength(6);
  });

  it('waits until a dwell has ended: what dwells is a blip as yet', () => {
    const seat = fleet(3);
    for (const node of ['n1', 'n2', 'n3']) count(seat, node, { ...newly(`${node}.m`), ready: [] });
    expect(faults(seat)).toEqual([]);
    count(seat, 'n2', newly('n2.m'));
    expect(faults(seat)).toEqual(['mesh-brake.all', 'mesh-brake.m']);
  });

  it('remembers what was retired in the window, and forgets it after (B3)', () => {
    const seat = fleet(10);
    for (let node = 1; node <= 5; node += 1) count(seat, `n${node}`, { present: 0, retired: { [`n${node}.m${node}`]: seat.now } });
    vanish(seat, 6, 6);
    expect(faults(seat)).toEqual(['mesh-brake.all']);
    const later = fleet(10);
    for (let node = 1; node <= 5; node += 1) count(later, `n${node}`, { present: 0, retired: { [`n${node}.m${node}`]: later.now } });
    later.wait(60 * MINUTE);
    vanish(later, 6, 7);
    expect(faults(later)).toEqual([]);
  });

  it('counts against the most consumers that there were in the window, and not against what was put in their place', () => {
    const seat = fleet(10);
    for (let node = 1; node <= 5; node += 1) count(seat, `n${node}`, { present: 0, retired: { [`n${node}.m${node}`]: seat.now } });
    for (let node = 11; node <= 15; node += 1) count(seat, `n${node}`, {});
    vanish(seat, 6, 6);
    expect(faults(seat)).toEqual(['mesh-brake.all']);
  });

  it('stays, once it stands, until nothing would retire (B5)', () => {
    const seat = vanish(fleet(10), 1, 6);
    for (let node = 1; node <= 5; node += 1) count(seat, `n${node}`, {});
    expect(faults(seat)).toEqual(['mesh-brake.all']);
    count(seat, 'n6', {});
    expect(faults(seat)).toEqual([]);
  });

  it('or until the set has stood unchanged and under the limit for 10 minutes (B5)', () => {
    const seat = vanish(fleet(10), 1, 6);
    for (const node of ['n1', 'n2']) count(seat, node, {});
    seat.wait(9 * MINUTE);
    count(seat, 'n3', {});
    seat.wait(10 * MINUTE - 1);
    expect(faults(seat)).toEqual(['mesh-brake.all']);
    expect(faults(seat.wait(1))).toEqual([]);
  });

  it('is under the limit too once the window forgets what was retired', () => {
    const seat = fleet(10);
    for (let node = 1; node <= 5; node += 1) count(seat, `n${node}`, { present: 0, retired: { [`n${node}.m${node}`]: seat.now } });
    vanish(seat, 6, 6);
    seat.wait(70 * MINUTE - 1);
    expect(faults(seat)).toEqual(['mesh-brake.all']);
    expect(faults(seat.wait(1))).toEqual([]);
  });

  it('counts nothing that a word lets through', () => {
    const seat = fleet(10);
    for (let node = 1; node <= 6; node += 1) count(seat, `n${node}`, { present: 0, through: [`n${node}.m${node}`] });
    expect(faults(vanish(seat, 7, 8))).toEqual([]);
    expect(faults(vanish(seat, 9, 9))).toEqual(['mesh-brake.all']);
  });

  it('raises no ask while it stands, and gives the places as it ends', () => {
    const seat = vanish(fleet(10), 1, 6);
    seat.send({ type: 'ask wanted', ask: question('old', 'n9') });
    expect(seat.took()).toEqual([]);
    for (let node = 1; node <= 6; node += 1) count(seat, `n${node}`, {});
    expect(seat.took()).toEqual([]);
    expect(seat.wait(0).took()).toEqual(['raise old']);
  });

  it('of one module stops the asks of that module alone', () => {
    const seat = vanish(fleet(100), 1, 3, 'dns');
    expect(faults(seat)).toEqual(['mesh-brake.dns']);
    seat.send({ type: 'ask wanted', ask: question('dns', 'n9') }, { type: 'ask wanted', ask: question('git', 'n9') });
    expect(seat.took()).toEqual(['raise git']);
  });

  it('stops no ask that a word lets through (B1)', () => {
    const seat = vanish(fleet(10), 1, 7);
    seat.send({ type: 'node braked', node: 'n9', braked: true });
    count(seat, 'n9', { through: ['n9.old'] });
    expect(seat.send({ type: 'ask wanted', ask: question('old', 'n9') }).took()).toEqual(['raise old']);
  });

  it('says a module called all under its key, and the brake of all before it', () => {
    const seat = vanish(fleet(100), 1, 3, 'all');
    expect(seat.context.faults['mesh-brake.all']).toMatchObject({ module: 'all' });
    const whole = vanish(fleet(4), 1, 3, 'all');
    expect(whole.context.faults['mesh-brake.all']?.module).toBeUndefined();
  });

  it('P9 counts no time that was slept', () => {
    const seat = fleet(10);
    for (let node = 1; node <= 5; node += 1) count(seat, `n${node}`, { present: 0, retired: { [`n${node}.m${node}`]: seat.now } });
    seat.now += 120 * MINUTE;
    seat.send({ type: 'slept', forMs: 120 * MINUTE }).open();
    vanish(seat, 6, 6);
    expect(faults(seat)).toEqual(['mesh-brake.all']);
  });
});
