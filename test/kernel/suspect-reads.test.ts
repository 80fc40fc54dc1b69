import { describe, expect, it } from 'vitest';
import { healthOf } from '../../src/kernel/words-that-read.ts';
import type { DrivenKernel } from './driven-kernel.ts';
import { add, remove, standing } from './stories-mesh.ts';

const MODULES = 'mesh-indexer_modules';
const WANTS = 'mesh-controller_wants';
const shrink = (mesh: DrivenKernel, bucket: string, keep = 0) => {
  for (const key of [...(mesh.buckets.get(bucket)?.keys() ?? [])].slice(keep)) mesh.set(bucket, key, undefined);
};
const back = (mesh: DrivenKernel, read: 'modules' | 'wants', created?: string) => {
  mesh.lose(read);
  mesh.load(read, created);
};
const accept = (mesh: DrivenKernel, read: string, entries?: number) =>
  mesh.say('mesh-provisioner.accept', { read, by: 'anna', why: 'it is so', ...(entries === undefined ? {} : { entries }) });
const writes = (mesh: DrivenKernel) =>
  mesh.effects.filter(({ effect }) => !('bucket' in effect && effect.bucket === 'mesh-provisioner_faults')).length;
const untouched = (mesh: DrivenKernel, since: number) => {
  expect([...mesh.kernel.shown].filter(([, { state }]) => state !== 'provided')).toEqual([]);
  expect(writes(mesh)).toBe(since);
};

describe('P7 a read that comes back with too little keeps the gate shut', () => {
  it('S05 the wants are another stream and empty: nothing, not on n3 either, where no brake could stand', () => {
    const mesh = standing();
    const before = writes(mesh);
    shrink(mesh, WANTS);
    back(mesh, 'wants', 'second');
    mesh.pass(3_600_000);
    expect(mesh.kernel.gateOpen()).toBe(false);
    expect(healthOf(mesh.kernel).faults).toMatchObject([
      {
        kind: 'suspect-read',
        says: 'wants is another stream, with 0 of 11 entries after its loss at 22:55:58 (the connection was lost): no node is judged',
        cause: 'the bucket was lost and made anew, and the controller is probably still writing them',
        clears: 'mesh-controller_wants has 11 entries again, or the operator accepts what is there: accept wants --entries 0',
      },
    ]);
    untouched(mesh, before);
  });

  it('S06 the wants are another stream, filled again with the old ones and new ones: they are seen', () => {
    const mesh = standing();
    mesh.lose('wants');
    mesh.set(WANTS, 'n2.git', { build: 'b1' });
    mesh.load('wants', 'second');
    expect(mesh.kernel.gateOpen()).toBe(true);
    expect(mesh.key('n2.git.route')).toBe('judging/asked');
  });

  it('S07b the modules come back with none: accept alone opens the gate on the empty picture', () => {
    const mesh = standing();
    const before = writes(mesh);
    shrink(mesh, MODULES);
    back(mesh, 'modules');
    mesh.start();
    mesh.loadAll();
    mesh.pass(3_600_000);
    expect(mesh.faults()).toEqual(['suspect-read']);
    untouched(mesh, before);
    expect(accept(mesh, 'modules', 1)).toMatchObject({ ok: false, code: 409 });
    expect(accept(mesh, 'modules', 0)).toEqual({ ok: true, value: { read: 'modules', entries: 0 } });
    expect(mesh.kernel.gateOpen()).toBe(true);
    expect(mesh.faults()).toEqual([]);
    expect([...mesh.kernel.shown.values()].filter(({ state }) => state === 'retiring')).toEqual([]);
    expect(mesh.asks()).toEqual([]);
  });

  it('S08 half of the modules come back: the list says which read, how many, and why likely', () => {
    const mesh = standing();
    const before = writes(mesh);
    shrink(mesh, MODULES, 4);
    back(mesh, 'modules');
    mesh.pass(120_000);
    expect(healthOf(mesh.kernel)).toMatchObject({
      healthy: false,
      gate: {
        open: false,
        missing: [
          {
            read: 'modules',
            since: '2026-11-02T22:55:58.000Z',
            why: 'modules came back with 4 of 9 entries after its loss at 22:55:58 (the connection was lost): the indexer is probably still loading',
          },
        ],
      },
    });
    untouched(mesh, before);
  });

  it('is freed by what arrives live, above the line and not before', () => {
    const mesh = standing();
    const all = [...(mesh.buckets.get(MODULES) ?? [])];
    shrink(mesh, MODULES, 3);
    back(mesh, 'modules');
    for (const [key, { value }] of all.slice(3)) {
      expect(mesh.kernel.gateOpen()).toBe(mesh.kernel.picture.entries(MODULES).size >= 5);
      mesh.put(MODULES, key, value);
    }
    expect(mesh.faults()).toEqual([]);
    expect([...mesh.kernel.shown].filter(([, { state }]) => state !== 'provided')).toEqual([]);
  });

  it('begins every dwell again as it opens', () => {
    const mesh = standing();
    remove(mesh, 'n1', 'git');
    mesh.pass(59_000);
    shrink(mesh, MODULES, 3);
    back(mesh, 'modules');
    mesh.pass(600_000);
    accept(mesh, 'modules');
    mesh.pass(59_000);
    expect(mesh.key('n1.git.route')).toBe('held/dwelling');
  });
});

describe('accept is refused', () => {
  it('where nothing is suspect, and where there is no such read', () => {
    const mesh = standing();
    expect(accept(mesh, 'modules')).toMatchObject({ ok: false, code: 409 });
    expect(accept(mesh, 'asks')).toMatchObject({ ok: false, code: 409 });
    expect(accept(mesh, 'elsewhere')).toMatchObject({ ok: false, code: 404 });
  });

  it('while the read is lost again', () => {
    const mesh = standing();
    shrink(mesh, MODULES);
    back(mesh, 'modules');
    mesh.lose('modules');
    expect(accept(mesh, 'modules')).toMatchObject({ ok: false, code: 409, says: expect.stringContaining('is not loaded') });
    expect(mesh.faults()).toEqual(['suspect-read']);
  });
});

it('P7 deletions seen live are no load: nothing is suspect, whatever is left, nor at the next load', () => {
  const mesh = standing();
  for (const module of ['git', 'chat', 'dns']) remove(mesh, 'n1', module);
  remove(mesh, 'n2', 'blog');
  for (const key of [...(mesh.buckets.get(MODULES)?.keys() ?? [])]) mesh.delete(MODULES, key);
  expect(mesh.kernel.gateOpen()).toBe(true);
  back(mesh, 'modules');
  back(mesh, 'wants');
  expect(mesh.kernel.gateOpen()).toBe(true);
  add(mesh, 'n2', 'blog');
  expect(mesh.faults().filter((fault) => fault.startsWith('suspect'))).toEqual([]);
});
