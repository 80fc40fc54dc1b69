import { describe, expect, it } from 'vitest';
import { resumed, takePieces } from '../../src/kernel/snapshot.ts';
import { healthOf } from '../../src/kernel/words-that-read.ts';
import type { Fact } from '../../src/machines/facts.ts';
import { remove, standing } from './stories-mesh.ts';

/** Nothing of the kind ever leaves the seat's own parsing: it stands for a defect. */
const breaksNode = { type: 'entry', bucket: 'mesh-provisioner_provisions', key: 'n9.x.route', revision: 1, value: null } as const;
const breaksSupervisor = {
  type: 'entry',
  bucket: 'mesh-controller_wants',
  key: 'n1.git',
  revision: 1,
  unreadable: null,
} as unknown as Fact;

describe('a root actor that throws', () => {
  it('is a fault since then, and takes no other along', () => {
    const mesh = standing();
    mesh.pass(5_000);
    mesh.facts([breaksNode]);
    expect(healthOf(mesh.kernel).faults).toMatchObject([
      { kind: 'actor-failed', says: expect.stringContaining('node.n9 was set aside: '), since: new Date(mesh.now).toISOString() },
    ]);
    remove(mesh, 'n1', 'git');
    mesh.pass(61_000);
    expect(mesh.key('n1.git.route')).toBe('retiring/asked');
  });

  it('is one since then after a restart too', () => {
    const mesh = standing();
    mesh.facts([breaksNode]);
    const at = new Date(mesh.now).toISOString();
    mesh.pass(3_600_000);
    const { supervisor, others } = takePieces(mesh.kernel);
    const kept = new Map([...others].flatMap(([name, piece]) => (piece === undefined ? [] : [[name, piece] as const])));
    const kernel = resumed(mesh.kernel.settings, supervisor, kept);
    if ('misfit' in kernel) throw new Error(kernel.misfit);
    expect(healthOf(kernel).faults).toMatchObject([{ kind: 'actor-failed', since: at }]);
  });

  it('shuts the gate for good where it is the supervisor: nobody would shut it any more', () => {
    const mesh = standing();
    remove(mesh, 'n1', 'git');
    mesh.facts([breaksSupervisor]);
    mesh.lose('wants');
    mesh.pass(3_600_000);
    expect(healthOf(mesh.kernel)).toMatchObject({ healthy: false, gate: { open: false } });
    expect(mesh.asks()).toEqual([]);
    expect(mesh.key('n1.git.route')).toBe('held/dwelling');
  });
});
