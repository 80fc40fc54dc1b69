import { describe, expect, it } from 'vitest';
import { missingReads } from '../../src/machines/supervisor.ts';
import { add, remove, standing } from './stories-mesh.ts';

const FIFTY_MINUTES = 3_000_000;

describe('P9 S59 a machine sleeps for 50 minutes', () => {
  it('and every read is proved again before a dwell that passed meanwhile ends', () => {
    const mesh = standing();
    remove(mesh, 'n1', 'git');
    mesh.pass(50_000);
    mesh.sleep(FIFTY_MINUTES);
    expect(mesh.kernel.gateOpen()).toBe(false);
    expect(missingReads(mesh.kernel.supervisor)).toHaveLength(6);
    expect(missingReads(mesh.kernel.supervisor)[0]?.why).toBe('this seat was asleep for 3000 s');
    mesh.loadAll();
    mesh.pass(59_000);
    expect(mesh.key('n1.git.route')).toBe('held/dwelling');
    mesh.pass(2_000);
    expect(mesh.key('n1.git.route')).toBe('retiring/asked');
  });

  it('and no ask is raised again for it, nor tried again', () => {
    const mesh = standing({ asksOpenMax: 1 });
    remove(mesh, 'n1', 'git');
    remove(mesh, 'n1', 'chat');
    mesh.refuses = ({ kind }) => kind === 'raise';
    mesh.pass(61_000);
    const tried = mesh.sent('raise').length;
    mesh.sleep(FIFTY_MINUTES);
    mesh.loadAll();
    expect(mesh.sent('raise')).toHaveLength(tried);
    mesh.pass(30_000);
    expect(mesh.sent('raise').length).toBeGreaterThan(tried);
  });

  it('and no read is late for it', () => {
    const mesh = standing();
    mesh.sleep(FIFTY_MINUTES);
    mesh.pass(29_000);
    expect(mesh.faults()).toEqual([]);
    mesh.pass(2_000);
    expect(mesh.faults()).toHaveLength(7);
  });

  it('and the brake still counts what was retired before (B3)', () => {
    const mesh = standing();
    for (const module of ['git', 'chat']) remove(mesh, 'n1', module);
    mesh.pass(61_000);
    for (const id of mesh.asks()) mesh.answer(id, 'Approve');
    for (const key of ['n1.git.route', 'n1.chat.route']) mesh.delete('router_bound', key);
    expect(mesh.key('n1.git.route')).toBe('gone');
    mesh.sleep(2 * FIFTY_MINUTES);
    mesh.loadAll();
    for (const provider of ['router', 'postgres', 'vault'] as const) mesh.load(`bound.${provider}`);
    for (const module of ['dns', 'mail']) remove(mesh, 'n1', module);
    mesh.pass(61_000);
    expect(mesh.faults()).toContain('brake n1');
  });

  it('and the word does not end with it (B6)', () => {
    const mesh = standing();
    for (const module of ['blog', 'wiki', 'git', 'chat']) remove(mesh, 'n1', module);
    mesh.pass(61_000);
    remove(mesh, 'n1', 'dns');
    mesh.say('mesh-provisioner.compose', { node: 'n1', 'retire-many': true, by: 'anna', why: 'it moves' });
    expect(mesh.key('n1.git.route')).toMatch(/^retiring/);
    expect(mesh.key('n1.dns.route')).toBe('held/dwelling');
    mesh.sleep(FIFTY_MINUTES);
    mesh.loadAll();
    mesh.pass(61_000);
    expect(mesh.key('n1.dns.route')).toMatch(/^retiring/);
    expect(mesh.faults()).not.toContain('brake n1');
  });

  it('nor does the latch let go for it (B5)', () => {
    const mesh = standing();
    for (const module of ['blog', 'wiki', 'git', 'chat']) remove(mesh, 'n1', module);
    mesh.pass(61_000);
    for (const module of ['blog', 'wiki']) add(mesh, 'n1', module);
    mesh.pass(500_000);
    expect(mesh.faults()).toContain('brake n1');
    mesh.sleep(FIFTY_MINUTES);
    mesh.loadAll();
    mesh.pass(61_000);
    expect(mesh.faults()).toContain('brake n1');
    expect(mesh.asks()).toEqual([]);
  });
});
