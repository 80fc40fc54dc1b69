import { expect, it } from 'vitest';
import type { StreamRecord } from '../../src/bus/port.ts';
import { Past } from '../../src/http/past/past.ts';
import { type DrivenKernel, kernelSettings } from '../kernel/driven-kernel.ts';
import { provideAll, remove, storiesMesh } from '../kernel/stories-mesh.ts';
import { liveOver } from './followed.ts';

it('the mesh as it was is what the present was then', async () => {
  const { mesh, past } = recorded();
  const { live } = liveOver(mesh);
  const then: { at: number; present: unknown }[] = [];
  const note = () => {
    then.push({ at: mesh.now, present: live.present() });
    mesh.pass(1_000);
  };
  mesh.loadAll();
  provideAll(mesh);
  note();
  mesh.pass(10_000);
  remove(mesh, 'n1', 'git');
  note();
  mesh.pass(61_000);
  note();
  mesh.answer('n1.git.route.g1', 'Keep');
  mesh.pass(10_000);
  note();
  for (const { at, present } of [...then, then[0]!, then[2]!]) {
    expect(await past.at(at, (picture) => picture.whole())).toEqual(present);
  }
});

it('before the journal began there is nothing', async () => {
  const { mesh, past } = recorded();
  const before = mesh.now - 1;
  mesh.loadAll();
  expect(await past.at(before, (picture) => picture.whole().tiles)).toEqual([]);
});

it('the line of time has a mark for each seat, gate, brake, ask and answer, and goes on where it stood', async () => {
  const { mesh, past } = recorded();
  mesh.loadAll();
  provideAll(mesh);
  remove(mesh, 'n1', 'git');
  mesh.pass(61_000);
  expect((await past.timeline()).marks.map(({ kind }) => kind)).toEqual(['seat', 'gate-open', 'ask']);
  mesh.say('mesh-router.answer', { id: 'n1.git.route.g1', answer: 'Keep', by: 'anna' });
  mesh.lose('wants');
  mesh.load('wants');
  for (const module of ['chat', 'dns', 'mail', 'blog']) remove(mesh, 'n1', module);
  mesh.pass(61_000);
  const { marks, from, to } = await past.timeline();
  expect(marks.map(({ kind }) => kind)).toEqual(['seat', 'gate-open', 'ask', 'answer', 'gate-shut', 'gate-open', 'brake']);
  expect(marks[4]?.says).toBe('the gate shuts: wants: the connection was lost');
  expect([from, to]).toEqual([marks[0]?.at, mesh.kernel.position.at]);
});

/** A started seat whose every record is kept, as its journal would. */
function recorded(): { mesh: DrivenKernel; past: Past } {
  const mesh = storiesMesh();
  const journal: StreamRecord[] = [];
  const step = mesh.kernel.step.bind(mesh.kernel);
  mesh.kernel.step = (sequence, record) => {
    journal.push({ sequence, text: JSON.stringify(record) });
    return step(sequence, record);
  };
  const read = async function* (from: number) {
    yield* journal.filter(({ sequence }) => sequence >= from);
  };
  mesh.start();
  return { mesh, past: new Past(kernelSettings, 'a bus', read) };
}
