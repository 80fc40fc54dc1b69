import { expect, test } from 'vitest';
import { bucketsOf, gateReads, type Read } from '../../src/bus/contracts/buckets.ts';
import { TEXT_BYTES_MAX } from '../../src/bus/limits.ts';
import { takePieces } from '../../src/kernel/snapshot.ts';
import type { Fact } from '../../src/machines/facts.ts';
import { packed, unpacked } from '../../src/seat/snapshot-text.ts';
import { storiesMesh } from '../kernel/stories-mesh.ts';

const MODULES = 200;
const KEYS_EACH = 10;
const AT = '2026-11-02T20:00:00.000Z';

test("a node of 2,000 keys has a piece well under the bus's 1 MiB", () => {
  const mesh = storiesMesh();
  let sequence = 0;
  /** One record, and another that acknowledges all that it led to. */
  const step = (facts: readonly Fact[]) => {
    const record = { version: 1, at: mesh.now, instance: 'test', epoch: 1 } as const;
    const { effects } = mesh.kernel.step(sequence + 1, { ...record, facts });
    const owing = JSON.stringify(takePieces(mesh.kernel).others.get('node.big'));
    mesh.kernel.step(sequence + 2, { ...record, facts: effects.map(({ id }) => ({ type: 'done', effect: id })) });
    sequence += 2;
    return owing;
  };
  const loaded = (read: Read): Fact => {
    return { type: 'loaded', read, streams: bucketsOf(read).map((bucket) => ({ bucket, created: 'first', entries: 1 })) };
  };

  const entries = Array.from({ length: MODULES }, (_, module) => {
    const place = `big.app-${module}`;
    const host = (key: number) => `${(module * KEYS_EACH + key) * 2_654_435_761}.example`;
    const needs = Array.from({ length: KEYS_EACH }, (_, key) => ({ provision: 'route', local: `www-${key}`, with: { host: host(key) } }));
    return [
      mesh.set('mesh-indexer_modules', `app-${module}`, { newest: 'b1', builds: ['b1'], at: AT }),
      mesh.set('mesh-indexer_compositions', `app-${module}.b1`, { needs, offers: [], contributes: [], fills: [] }),
      mesh.set('mesh-placement_modules', place, {}),
      mesh.set('mesh-controller_wants', place, { build: 'b1' }),
      mesh.set('mesh-host_haves', place, { build: 'b1', state: 'healthy', at: AT }),
    ];
  }).flat();
  for (const [bucket, of] of mesh.buckets) {
    for (const [key, { revision, value }] of of) if (!key.includes('app-')) entries.push({ type: 'entry', bucket, key, revision, value });
  }
  const owing = step([{ type: 'seat-taken', instance: 'test', epoch: 1 }, ...entries, ...gateReads.map(loaded)]);
  const keys = Object.keys(mesh.kernel.node('big')!.keys);
  const outcomes = keys.map((key) => mesh.set('router_bound', key, { state: 'provided', generation: 1, at: AT }));
  const asked = [...mesh.kernel.shown].map(([key, value]) => mesh.set('mesh-provisioner_provisions', key, value));
  step([...asked, ...outcomes, loaded('bound.router')]);
  const provided = step([{ type: 'due', owner: 'node.big' }]);

  expect(keys).toHaveLength(MODULES * KEYS_EACH);
  expect(new Set(Object.values(mesh.kernel.node('big')!.acknowledged))).toEqual(new Set(['provided']));
  for (const json of [owing, provided]) {
    expect(json.length).toBeGreaterThan(TEXT_BYTES_MAX);
    expect(Buffer.byteLength(packed(json))).toBeLessThan(TEXT_BYTES_MAX / 2);
    expect(unpacked(packed(json)) === json).toBe(true);
  }
});
