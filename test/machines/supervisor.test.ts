import { describe, expect, it } from 'vitest';
import { setup } from 'xstate';
import { gateReads } from '../../src/bus/contracts/buckets.ts';
import { Fault } from '../../src/bus/contracts/faults.ts';
import type { askMachine } from '../../src/machines/ask.ts';
import { BEFORE_ANY_PASS, READ_LATE_MS } from '../../src/machines/gate.ts';
import { gateOpen, missingReads, supervisorMachine } from '../../src/machines/supervisor.ts';
import { answered, DrivenSupervisor, ended, open, question } from './driven-supervisor.ts';

const faults = (seat: DrivenSupervisor) => Object.keys(seat.context.faults).sort();
const raised = (...ids: string[]) => ids.map((id) => `raise ${id}`);
/** Three asks that stand open at the router. */
const threeOpen = (...more: string[]) => {
  const seat = new DrivenSupervisor()
    .open()
    .want('a', 'b', 'c', ...more)
    .acknowledge('a', 'b', 'c');
  for (const id of ['a', 'b', 'c']) seat.record(id, open);
  seat.took();
  seat.told();
  return seat;
};

describe('P1 P5 the gate', () => {
  it('waits for the reads that stand before any pass', () => {
    expect(BEFORE_ANY_PASS).toEqual(gateReads);
    expect(gateOpen(undefined)).toBe(false);
  });

  it('is open as soon as the last of them is loaded, and shut as soon as one is missing', () => {
    const seat = new DrivenSupervisor();
    expect(missingReads(seat.context)).toHaveLength(gateReads.length);
    expect(missingReads(seat.context)[0]).toEqual({ read: 'placement', since: '1970-01-01T00:00:01.000Z', why: 'not loaded yet' });
    for (const read of gateReads) {
      expect(gateOpen(seat.snapshot)).toBe(false);
      seat.load(read);
    }
    expect(gateOpen(seat.snapshot)).toBe(true);
    seat.wait(5_000).send({ type: 'read missing', read: 'haves', why: 'the watch ended' });
    expect(gateOpen(seat.snapshot)).toBe(false);
    seat.wait(5_000).send({ type: 'read missing', read: 'haves', why: 'permission refused' });
    expect(missingReads(seat.context)).toEqual([{ read: 'haves', since: '1970-01-01T00:00:06.000Z', why: 'permission refused' }]);
  });

  it('is shut by neither the asks nor a provider', () => {
    const seat = new DrivenSupervisor().load(...gateReads);
    seat.send({ type: 'read missing', read: 'bound.proxy', why: 'no such bucket' });
    expect(gateOpen(seat.snapshot)).toBe(true);
  });

  it('is shut again by a restart', () => {
    const seat = new DrivenSupervisor().open().send({ type: 'seat taken' });
    expect(gateOpen(seat.snapshot)).toBe(false);
    expect(missingReads(seat.context)).toHaveLength(gateReads.length);
  });

  it('P4 is a fault once a read has been missing for 30 s, which opens nothing', () => {
    const seat = new DrivenSupervisor().load('placement', 'wants', 'modules', 'compositions', 'provisions', 'asks');
    expect(seat.wakes).toContain(1_000 + READ_LATE_MS);
    seat.wait(READ_LATE_MS - 1);
    expect(faults(seat)).toEqual([]);
    seat.wait(1);
    expect(faults(seat)).toEqual(['gate.haves']);
    expect(seat.effects).toMatchObject([{ kind: 'put', bucket: 'mesh-provisioner_faults', key: 'gate.haves' }]);
    expect(gateOpen(seat.wait(3_600_000).snapshot)).toBe(false);
    seat.load('haves');
    expect(faults(seat)).toEqual([]);
    expect(seat.effects.at(-1)).toEqual({ kind: 'delete', bucket: 'mesh-provisioner_faults', key: 'gate.haves' });
    expect(seat.context.wakeAt).toBeUndefined();
  });
});

describe('P6 what cannot be read is said', () => {
  it('while it stands', () => {
    const seat = new DrivenSupervisor().send(
      {
        type: 'entry seen',
        bucket: 'mesh-controller_wants',
        key: 'n1.blog',
        revision: 4,
        entries: 1,
        unreadable: { field: 'build', says: 'expected a string' },
      },
      { type: 'key out of shape', bucket: 'mesh-host_haves', key: 'n1', says: 'expected <node>.<module>' },
    );
    expect(faults(seat)).toEqual(['out-of-shape.mesh-host_haves.n1', 'unreadable.mesh-controller_wants.n1.blog']);
    for (const fault of Object.values(seat.context.faults)) expect(Fault.safeParse(fault).success).toBe(true);
    seat.send(
      { type: 'entry seen', bucket: 'mesh-controller_wants', key: 'n1.blog', revision: 5, entries: 1 },
      { type: 'entry seen', bucket: 'mesh-host_haves', key: 'n1', revision: 6, entries: 1 },
    );
    expect(faults(seat)).toEqual([]);
  });

  it('under keys that fit the bus, whatever the names', () => {
    const unreadable = { field: 'state', says: 'expected a string' };
    const seat = new DrivenSupervisor().send(
      { type: 'entry seen', bucket: 'my proxy_bound', key: 'n1.blog.route', revision: 4, entries: 1, unreadable },
      { type: 'key out of shape', bucket: 'mesh-host_haves', key: 'n1..x/y', says: 'no token' },
    );
    expect(faults(seat)).toEqual(['out-of-shape.mesh-host_haves.n1=2E=2Ex=2Fy', 'unreadable.my=20proxy_bound.n1.blog.route']);
  });

  it('and a record of the router that cannot be read is not one it does not hold', () => {
    const seat = threeOpen('d').send({
      type: 'entry seen',
      bucket: 'mesh-router_asks',
      key: 'a',
      revision: 9,
      entries: 1,
      unreadable: { field: 'state', says: 'expected open' },
    });
    seat.record('a').wait(600_000);
    expect(seat.took()).toEqual([]);
  });
});

describe('A2 places at the router', () => {
  it('are given behind the open gate alone, with the asks loaded and every node judged', () => {
    const seat = new DrivenSupervisor().want('a');
    expect(seat.load(...gateReads).took()).toEqual([]);
    expect(seat.send({ type: 'mesh judged' }).took()).toEqual([]);
    expect(seat.load('asks').took()).toEqual(raised('a'));
    expect(seat.send({ type: 'read missing', read: 'wants', why: 'lost' }).want('b').took()).toEqual([]);
    expect(seat.load('wants').took()).toEqual([]);
    expect(seat.send({ type: 'mesh judged' }).took()).toEqual(raised('b'));
  });

  it('are three; the rest wait in order of arrival', () => {
    const seat = threeOpen('d', 'e');
    expect(seat.waiting()).toEqual(['d', 'e']);
    seat.record('b', answered('Approve'));
    expect(seat.took()).toEqual(raised('d'));
    expect(seat.waiting()).toEqual(['e']);
  });

  it('A1 are given once an ask, however often it is wanted', () => {
    const seat = threeOpen('d').want('a', 'd', 'd');
    expect(seat.took()).toEqual([]);
    expect(seat.waiting()).toEqual(['d']);
  });

  it('are not given to a braked node, and not in the middle of the pass that releases it', () => {
    const seat = new DrivenSupervisor().open().send({ type: 'node braked', node: 'n1', braked: true }).want('a', 'b');
    seat.send({ type: 'ask wanted', ask: question('c', 'n2') });
    expect(seat.took()).toEqual(raised('c'));
    seat.send({ type: 'node braked', node: 'n1', braked: false }, { type: 'ask dropped', id: 'a', why: 'it is needed again' });
    expect(seat.took()).toEqual([]);
    expect(seat.wait(0).took()).toEqual(raised('b'));
  });

  it('S47 the first is wanted again: it is ended with the reason, then the fourth is raised', () => {
    const seat = threeOpen('d').send({ type: 'ask dropped', id: 'a', why: 'it is needed again' });
    expect(seat.effects).toEqual([{ kind: 'end', ask: 'a', why: 'it is needed again' }]);
    expect(seat.took()).toEqual(['end a']);
    seat.send({ type: 'end acknowledged', id: 'a' });
    expect(seat.took()).toEqual(raised('d'));
    expect(seat.record('a', ended).took()).toEqual([]);
    expect(seat.told()).toEqual([]);
  });

  it('stay taken while the end is not acknowledged', () => {
    const seat = threeOpen('d').send({ type: 'ask dropped', id: 'a', why: 'w' });
    seat.took();
    expect(seat.wait(86_400_000).took()).toEqual([]);
  });

  it('are taken by whatever else stands open: it is ended with the reason as soon as the mesh is judged', () => {
    const seat = new DrivenSupervisor().want('a').record('x', open).record('y', open).record('z', open);
    expect(seat.load(...gateReads, 'asks').took()).toEqual([]);
    expect(seat.send({ type: 'mesh judged' }).took()).toEqual(['end x', 'end y', 'end z']);
    expect(seat.record('y', ended).took()).toEqual(raised('a'));
    expect(seat.record('late', open).took()).toEqual(['end late']);
  });

  it('are left by a waiting ask without a word to the router', () => {
    const seat = threeOpen('d').send({ type: 'ask dropped', id: 'd', why: 'w' });
    expect(seat.waiting()).toEqual([]);
    expect(seat.took()).toEqual([]);
  });

  it('are not needed to end an ask that is answered', () => {
    const seat = threeOpen().record('a', answered('Approve')).send({ type: 'ask dropped', id: 'a', why: 'it is needed again' });
    expect(seat.took()).toEqual(['end a']);
    expect(seat.record('a', ended).send({ type: 'ask dropped', id: 'a', why: 'again' }).took()).toEqual([]);
  });
});

describe('A2 a refused ask is not an asked one', () => {
  it('goes back to the head, with a fault, and is tried again with growing pauses', () => {
    const seat = new DrivenSupervisor({ asksOpenMax: 1 }).open().want('a', 'b');
    const refuse = () => seat.send({ type: 'raise refused', id: 'a', says: '3 are open' });
    refuse();
    expect(seat.took()).toEqual(raised('a', 'b'));
    expect(seat.waiting()).toEqual(['a']);
    expect(faults(seat)).toEqual(['ask-refused.a']);
    expect(seat.told()).toEqual([]);
    seat.send({ type: 'raise refused', id: 'b', says: '3 are open' });
    expect(seat.waiting()).toEqual(['b', 'a']);
    expect(seat.wait(4_999).took()).toEqual([]);
    expect(seat.wait(1).took()).toEqual(raised('b'));
    seat.acknowledge('b');
    expect(faults(seat)).toEqual(['ask-refused.a']);
    seat.record('b', answered('Keep'));
    expect(seat.took()).toEqual(raised('a'));
    refuse();
    expect(seat.wait(9_999).took()).toEqual([]);
    expect(seat.wait(1).took()).toEqual(raised('a'));
    expect(faults(seat.acknowledge('a'))).toEqual([]);
  });
});

describe('A3 an ask of which a loaded router holds no record', () => {
  it('is raised again a minute after its raise, with back-off', () => {
    const seat = new DrivenSupervisor().open().want('a').acknowledge('a');
    expect(seat.took()).toEqual(raised('a'));
    expect(seat.wait(59_999).took()).toEqual([]);
    expect(seat.wait(1).took()).toEqual(raised('a'));
    expect(seat.wait(119_999).took()).toEqual([]);
    expect(seat.wait(1).took()).toEqual(raised('a'));
    expect(seat.record('a', open).wait(86_400_000).took()).toEqual([]);
  });

  it('S44 the router restarts empty: after a minute the same three are raised again', () => {
    const seat = threeOpen('d').send({ type: 'read missing', read: 'asks', why: 'the stream was made anew' });
    seat.record('a').record('b').record('c').load('asks').send({ type: 'mesh judged' });
    expect(seat.wait(59_999).took()).toEqual([]);
    expect(seat.wait(1).took()).toEqual(raised('a', 'b', 'c'));
    expect(seat.acknowledge('a', 'b', 'c').record('a', open).record('b', open).record('c', open).wait(3_600_000).took()).toEqual([]);
    expect(seat.waiting()).toEqual(['d']);
  });

  it('S50 a router that is away is not one without a record: one round after it has loaded', () => {
    const seat = new DrivenSupervisor().open().want('a', 'b').acknowledge('a', 'b');
    seat.took();
    seat.send({ type: 'read missing', read: 'asks', why: 'no responders' });
    expect(seat.wait(600_000).took()).toEqual([]);
    seat.load('asks').send({ type: 'mesh judged' });
    expect(seat.wait(59_999).took()).toEqual([]);
    expect(seat.wait(1).took()).toEqual(raised('a', 'b'));
    expect(seat.record('a', open).record('b', open).wait(600_000).took()).toEqual([]);
  });

  it.each(gateReads)('is not raised again while %s is missing', (read) => {
    const seat = new DrivenSupervisor().open().want('a').acknowledge('a').send({ type: 'read missing', read, why: 'lost' });
    seat.took();
    expect(seat.wait(600_000).took()).toEqual([]);
    expect(seat.load(read).send({ type: 'mesh judged' }).took()).toEqual(raised('a'));
  });

  it('is not raised again while its node is braked', () => {
    const seat = new DrivenSupervisor().open().want('a').acknowledge('a').send({ type: 'node braked', node: 'n1', braked: true });
    seat.took();
    expect(seat.wait(600_000).took()).toEqual([]);
    expect(seat.send({ type: 'node braked', node: 'n1', braked: false }).wait(0).took()).toEqual(raised('a'));
  });

  it('P9 time slept counts for nothing', () => {
    const seat = new DrivenSupervisor().open().want('a').acknowledge('a');
    seat.took();
    seat.now += 3_000_000;
    expect(seat.send({ type: 'seat taken' }, { type: 'due' }).took()).toEqual([]);
    expect(faults(seat.open())).toEqual([]);
    expect(seat.wait(59_999).took()).toEqual([]);
  });
});

describe('an ask whose record the router holds already', () => {
  it.each([
    ['open', open, ['ask opened a'], 1],
    ['answered', answered('Keep'), ['ask answered a Keep'], 0],
    ['ended', ended, ['ask ended elsewhere a'], 0],
  ] as const)('and is %s is not raised', (_, record, told, places) => {
    const seat = new DrivenSupervisor().record('a', record).want('a').open();
    expect(seat.told()).toEqual(told);
    expect(seat.took()).toEqual([]);
    expect(Object.keys(seat.context.places)).toHaveLength(places);
  });

  it('leaves the queue as the record is seen', () => {
    const seat = new DrivenSupervisor().want('a', 'b').record('a', open).record('b', answered('Approve'));
    expect(seat.waiting()).toEqual([]);
    expect(seat.told()).toEqual(['ask opened a', 'ask answered b Approve']);
  });

  it('A4 an answer to an ask that nobody wants changes nothing', () => {
    const seat = new DrivenSupervisor().open().record('old', answered('Approve'));
    expect([...seat.told(), ...seat.took()]).toEqual([]);
  });

  it('S49 Approve twice is one word', () => {
    const seat = threeOpen().record('a', answered('Approve')).record('a', answered('Approve'));
    expect(seat.told()).toEqual(['ask answered a Approve']);
  });

  it('wanted again while it is being ended is over for its key', () => {
    const seat = threeOpen().send({ type: 'ask dropped', id: 'a', why: 'w' }).want('a');
    expect(seat.told()).toEqual(['ask ended elsewhere a']);
  });
});

describe('an ask that throws', () => {
  const throwing = setup({ types: { events: {} as never, input: {} as unknown } }).createMachine({
    context: () => {
      throw new Error('broken');
    },
  });
  const broken = supervisorMachine.provide({ actors: { ask: throwing as unknown as typeof askMachine } });

  it('is set aside with a fault and gives its place back', () => {
    const seat = new DrivenSupervisor({ asksOpenMax: 1 }, broken).open().want('a', 'b');
    expect(seat.snapshot.status).toBe('active');
    expect(seat.wait(0).took()).toEqual(['end a', 'end b']);
    expect(faults(seat)).toEqual(['actor-failed.a', 'actor-failed.b']);
    expect(seat.context.faults['actor-failed.a']?.says).toBe('the ask a was set aside: broken');
    expect(seat.want('a').wait(0).took()).toEqual([]);
    expect(faults(seat.send({ type: 'ask dropped', id: 'a', why: 'w' }))).toEqual(['actor-failed.b']);
  });
});

describe('the clock', () => {
  it('is asked again by a supervisor that was woken too early', () => {
    const seat = new DrivenSupervisor();
    seat.wakes = [];
    seat.wait(0).send({ type: 'due' });
    expect(seat.wakes).toEqual([1_000 + READ_LATE_MS]);
  });

  it('is asked nothing for an ask that is being ended', () => {
    const seat = new DrivenSupervisor().open().want('a').acknowledge('a');
    expect(seat.context.wakeAt).toBe(61_000);
    expect(seat.send({ type: 'ask dropped', id: 'a', why: 'w' }).context.wakeAt).toBeUndefined();
  });
});

it('E1 the context is JSON and the same events make the same one', () => {
  const one = threeOpen('d', 'e').record('b', answered('Keep')).context;
  expect(JSON.parse(JSON.stringify(one))).toEqual({ ...one });
  expect(threeOpen('d', 'e').record('b', answered('Keep')).context).toEqual(one);
});
