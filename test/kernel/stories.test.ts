import { describe, expect, it } from 'vitest';
import { add, provideAll, remove, standing, storiesMesh } from './stories-mesh.ts';

describe('stories on the kernel', () => {
  it('judges nothing before every read is loaded, then provides every key (P1, K1)', () => {
    const mesh = storiesMesh();
    mesh.start();
    for (const read of ['placement', 'haves', 'modules', 'compositions', 'provisions', 'asks'] as const) mesh.load(read);
    expect(mesh.kernel.gateOpen()).toBe(false);
    expect(mesh.kernel.shown.size).toBe(0);
    mesh.load('wants');
    expect(mesh.key('n1.git.route')).toBe('judging/asked');
    provideAll(mesh);
    expect([...mesh.kernel.shown].filter(([, { state }]) => state !== 'provided').map(([key]) => key)).toEqual([]);
  });

  it('retires after the dwell, asks once, and lets go on Approve, warrant and the provider letting go (S40)', () => {
    const mesh = standing();
    remove(mesh, 'n1', 'git');
    expect(mesh.key('n1.git.route')).toBe('held/dwelling');
    mesh.pass(61_000);
    expect(mesh.key('n1.git.route')).toBe('retiring/asked');
    expect(mesh.asks()).toEqual(['n1.git.route.g1']);
    mesh.answer('n1.git.route.g1', 'Approve');
    expect(mesh.key('n1.git.route')).toBe('retiring/warranted');
    mesh.delete('router_bound', 'n1.git.route');
    expect(mesh.key('n1.git.route')).toBe('gone');
    add(mesh, 'n1', 'git');
    expect(mesh.kernel.shown.get('n1.git.route')?.generation).toBe(2);
  });

  it('5 candidates of 6 in one pass retire none, and the fault names the node (S26)', () => {
    const mesh = standing();
    for (const module of ['blog', 'mail', 'git', 'chat', 'dns']) remove(mesh, 'n1', module);
    mesh.pass(61_000);
    expect(mesh.asks()).toEqual([]);
    expect(mesh.key('n1.git.route')).toBe('held/braked');
    expect(mesh.faults()).toContain('brake n1');
  });

  it('a want that is back while the operator is asked ends the ask, and its generation rises (S47, K6)', () => {
    const mesh = standing();
    remove(mesh, 'n1', 'git');
    mesh.pass(61_000);
    add(mesh, 'n1', 'git');
    expect(mesh.asks()).toEqual([]);
    expect(mesh.asks('ended')).toEqual(['n1.git.route.g1']);
    expect(mesh.kernel.shown.get('n1.git.route')?.generation).toBe(2);
  });

  it('kept by the operator, and not asked again, a restart or not (S46)', () => {
    const mesh = standing();
    remove(mesh, 'n1', 'git');
    mesh.pass(61_000);
    mesh.answer('n1.git.route.g1', 'Keep');
    expect(mesh.key('n1.git.route')).toBe('held/kept');
    mesh.start();
    mesh.loadAll();
    mesh.pass(200_000);
    expect(mesh.key('n1.git.route')).toBe('held/kept');
    expect(mesh.asks()).toEqual([]);
  });

  it('what is read live before a warrant speaks against it: no warrant, the ask is ended, and a fault says so (S71)', () => {
    const mesh = standing();
    remove(mesh, 'n1', 'git');
    mesh.pass(61_000);
    mesh.live.set('mesh-controller_wants n1.git', { build: 'b1' });
    mesh.answer('n1.git.route.g1', 'Approve');
    expect(mesh.kernel.shown.get('n1.git.route')?.warrant).toBeUndefined();
    expect(mesh.asks('ended')).toEqual(['n1.git.route.g1']);
    expect(mesh.faults()).toContain('ask-disagrees n1');
  });

  it('a want gone for 8 s is held and dwelling, then as before (S68)', () => {
    const mesh = standing();
    remove(mesh, 'n1', 'git');
    mesh.pass(8_000);
    add(mesh, 'n1', 'git');
    mesh.pass(100_000);
    expect(mesh.key('n1.git.route')).toBe('provided');
    expect(mesh.kernel.shown.get('n1.git.route')?.generation).toBe(1);
  });

  it('its secret turns retiring with it, and is asked only once it is gone (C6)', () => {
    const mesh = standing();
    remove(mesh, 'n1', 'mail');
    mesh.pass(61_000);
    expect(mesh.key('n1.mail.secret-database')).toBe('retiring/waiting');
    expect(mesh.asks()).toEqual(['n1.mail.database.g1', 'n1.mail.route.g1']);
    mesh.answer('n1.mail.database.g1', 'Approve');
    mesh.delete('postgres_bound', 'n1.mail.database');
    expect(mesh.key('n1.mail.database')).toBe('gone');
    expect(mesh.key('n1.mail.secret-database')).toBe('retiring/asked');
  });

  it('a refused end stays owed and frees no place: the ask may stand open (A2)', () => {
    const mesh = standing();
    mesh.refuses = (effect) => effect.kind === 'end';
    remove(mesh, 'n1', 'mail');
    remove(mesh, 'n1', 'blog');
    mesh.pass(61_000);
    expect(mesh.asks()).toHaveLength(3);
    add(mesh, 'n1', 'mail');
    expect(mesh.asks()).toHaveLength(3);
    expect(mesh.sent('raise')).toHaveLength(3);
    expect([...mesh.kernel.owed.values()].filter(({ effect }) => effect.kind === 'end')).not.toEqual([]);
  });

  it('a record that cannot be read is still a record: its id is not opened anew (P6, K5)', () => {
    const mesh = standing();
    remove(mesh, 'n1', 'git');
    mesh.pass(61_000);
    mesh.facts([
      {
        type: 'entry',
        bucket: 'mesh-router_asks',
        key: 'n1.git.route.g1',
        revision: 9999,
        unreadable: { field: 'state', says: 'expected "open"' },
      },
    ]);
    expect(mesh.kernel.records.has('n1.git.route.g1')).toBe(true);
  });
});
