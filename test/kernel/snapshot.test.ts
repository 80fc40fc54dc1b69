import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Kernel } from '../../src/kernel/kernel.ts';
import type { Piece, SupervisorPiece } from '../../src/kernel/piece.ts';
import { resumed, takePieces } from '../../src/kernel/snapshot.ts';
import type { JournalRecord } from '../../src/machines/facts.ts';
import { acts, perform } from './random-acts.ts';
import { remove, standing, storiesMesh } from './stories-mesh.ts';

/** Pieces as a bucket keeps them: text by key. */
class Bucket {
  readonly texts = new Map<string, string>();

  take(kernel: Kernel): this {
    const { supervisor, others } = takePieces(kernel);
    this.texts.set('supervisor', JSON.stringify(supervisor));
    for (const [key, piece] of others) {
      if (piece === undefined) this.texts.delete(key);
      else this.texts.set(key, JSON.stringify(piece));
    }
    return this;
  }

  resume(settings: Kernel['settings']): Kernel | { readonly misfit: string } {
    const { supervisor, ...others } = Object.fromEntries([...this.texts].map(([key, text]) => [key, JSON.parse(text) as Piece]));
    return resumed(settings, supervisor as SupervisorPiece, new Map(Object.entries(others)));
  }

  get state() {
    return Object.fromEntries([...this.texts].sort());
  }
}

describe('a snapshot', () => {
  test('and the rest of the journal make what the whole journal makes, byte for byte (E1, E2)', { timeout: 600_000 }, () => {
    const { SNAPSHOT_RUNS: runs = '60' } = process.env;
    fc.assert(
      fc.property(fc.array(acts, { minLength: 4, maxLength: 40 }), fc.nat(), fc.array(fc.nat(), { maxLength: 4 }), (acted, at, more) => {
        const { records, settings, effects } = recorded(acted);
        const cut = at % (records.length + 1);
        const takes = new Set(more.map((one) => one % (cut + 1)));

        const before = new Kernel(settings);
        const bucket = new Bucket();
        for (const [index, record] of records.slice(0, cut).entries()) {
          step(before, record, index);
          if (takes.has(index)) bucket.take(before);
        }
        const after = kernelOf(bucket.take(before).resume(settings));
        const again: unknown[] = [];
        for (const [index, record] of records.slice(cut).entries()) {
          again.push(step(after, record, cut + index));
          if (index % 7 === 3) bucket.take(after);
        }

        const whole = new Kernel(settings);
        for (const [index, record] of records.entries()) step(whole, record, index);
        expect(again).toEqual(effects.slice(cut));
        expect([...after.owed.keys()]).toEqual([...whole.owed.keys()]);
        expect(bucket.take(after).state).toEqual(new Bucket().take(whole).state);
      }),
      { numRuns: Number(runs) },
    );
  });

  test('is the same when it is taken, kept and taken again', () => {
    const { kernel } = standing();
    const bucket = new Bucket().take(kernel);
    const again = kernelOf(bucket.resume(kernel.settings));
    const { state } = bucket;
    for (const key of bucket.texts.keys()) again.memory.changed.add(key);
    expect(bucket.take(again).state).toEqual(state);
  });

  test('takes only what changed, and drops what is left of nothing', () => {
    const mesh = standing();
    takePieces(mesh.kernel);
    mesh.put('mesh-controller_wants', 'n2.blog', { build: 'b1' });
    expect([...takePieces(mesh.kernel).others.keys()]).toEqual(['node.n2']);
    mesh.refuses = ({ kind }) => kind === 'put';
    mesh.say('mesh-router.raise', { id: 'other.1', asker: 'other', subject: 'x', question: '?', proof: null });
    expect([...takePieces(mesh.kernel).others.keys()]).toEqual(['asks.other']);
    mesh.delete('mesh-indexer_modules', 'git');
    mesh.delete('mesh-indexer_compositions', 'git.b1');
    const { others } = takePieces(mesh.kernel);
    expect(others.has('module.git')).toBe(true);
    expect(others.get('module.git')).toBeUndefined();
  });

  test('restores no node before something is sent to it', () => {
    const mesh = standing();
    remove(mesh, 'n1', 'git');
    const kernel = kernelOf(new Bucket().take(mesh.kernel).resume(mesh.kernel.settings));
    expect(kernel.nodes()).toEqual(mesh.kernel.nodes());
    expect(kernel.node('n1')?.keys).toEqual(mesh.kernel.node('n1')?.keys);
    expect(kernel.roots.asleep()).toEqual(['node.n1', 'node.n2', 'node.n3', 'node.n4', 'supervisor']);
    kernel.step(1_000, record([{ type: 'seat-taken', instance: 'next', epoch: 2 }]));
    expect(kernel.roots.asleep()).not.toContain('supervisor');
  });

  test('does not fit where a state, an actor, a field or a child is not what the machines of today have', () => {
    const mesh = standing();
    const bucket = new Bucket().take(mesh.kernel);
    const misfit = (key: string, from: string | RegExp, to: string) => {
      const text = bucket.texts.get(key)!;
      expect(text).toMatch(from);
      bucket.texts.set(key, text.replace(from, to));
      const found = bucket.resume(mesh.kernel.settings);
      bucket.texts.set(key, text);
      return 'misfit' in found ? found.misfit : found;
    };
    expect(misfit('node.n1', '{"provided":"serving"}', '{"provided":"dreaming"}')).toMatch(/^node\.n1: .*it has no state/);
    expect(misfit('node.n1', '"src":"key"', '"src":"lock"')).toMatch(/nothing is called lock/);
    expect(misfit('node.n1', '"generations":', '"generation":')).toMatch(/^node\.n1: its context has no generations$/);
    expect(misfit('node.n1', '"status":"active"', '"status":"error"')).toMatch(/^node\.n1: its status is "error"$/);
    expect(misfit('node.n1', /"children":\{"n1\.\w+\.\w+"/, '"children":{"n1.lost.key"')).toMatch(/is not among its children/);
    expect(misfit('supervisor', '"actor":', '"actors":')).toBe('it keeps no supervisor');
  });
});

function recorded(acted: readonly (typeof acts extends fc.Arbitrary<infer A> ? A : never)[]) {
  const mesh = storiesMesh({ dwellMs: 60_000 });
  const records: JournalRecord[] = [];
  const effects: unknown[] = [];
  const stepped = mesh.kernel.step.bind(mesh.kernel);
  mesh.kernel.step = (sequence, one) => {
    records.push(JSON.parse(JSON.stringify(one)) as JournalRecord);
    const index = effects.push(undefined) - 1;
    const step = stepped(sequence, one);
    effects[index] = JSON.parse(JSON.stringify(step));
    return step;
  };
  mesh.start();
  for (const act of acted) perform(mesh, act);
  return { records, settings: mesh.kernel.settings, effects };
}

function step(kernel: Kernel, one: JournalRecord, index: number): unknown {
  return JSON.parse(JSON.stringify(kernel.step(index + 1, one)));
}

function record(facts: JournalRecord['facts']): JournalRecord {
  return { version: 1, at: Date.parse('2026-11-03T00:00:00.000Z'), instance: 'next', epoch: 2, facts };
}

function kernelOf(found: Kernel | { readonly misfit: string }): Kernel {
  if ('misfit' in found) throw new Error(found.misfit);
  return found;
}
