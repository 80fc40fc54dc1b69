import { describe, expect, it } from 'vitest';
import { foundNeeded } from '../../src/kernel/evidence-of-keys.ts';
import type { EntryFact } from '../../src/machines/facts.ts';
import { remove, standing } from './stories-mesh.ts';

const entry = (bucket: string, key: string, value?: unknown): EntryFact => ({ type: 'entry', bucket, key, revision: 900, value });
const wanted = (place: string, build = 'b1') => entry('mesh-controller_wants', place, { build });
const indexed = (module: string) => entry('mesh-indexer_modules', module, { newest: 'b1', builds: ['b1'], at: '2026-11-02T20:00:00.000Z' });
const published = (module: string, ...provisions: string[]) =>
  entry('mesh-indexer_compositions', `${module}.b1`, {
    needs: provisions.map((provision) => ({ provision })),
    offers: [],
    contributes: [],
    fills: [],
  });
const gone = () => {
  const mesh = standing();
  remove(mesh, 'n1', 'git');
  remove(mesh, 'n1', 'mail');
  mesh.pass(61_000);
  return mesh;
};

describe('A5 what is read live before a warrant', () => {
  it('proves the absence where it shows none', () => {
    const { picture } = gone().kernel;
    expect(foundNeeded(picture, 'n1.git.route', [entry('mesh-controller_wants', 'n1.git'), indexed('git')])).toBeUndefined();
  });

  it('speaks against it where the key is needed, and says by whom', () => {
    const { picture } = gone().kernel;
    const found = foundNeeded(picture, 'n1.git.route', [wanted('n1.git'), indexed('git'), published('git', 'route')]);
    expect(found).toBe('n1.git needs it at build b1');
  });

  it('is of this key alone: its module may be there and need it no more', () => {
    const { picture } = gone().kernel;
    expect(foundNeeded(picture, 'n1.git.route', [wanted('n1.git'), indexed('git'), published('git', 'other')])).toBeUndefined();
  });

  it('speaks against it where its module is held, and says why', () => {
    const { picture } = gone().kernel;
    const says = 'n1.git is held: no composition of git is published, of build b1';
    expect(foundNeeded(picture, 'n1.git.route', [wanted('n1.git'), indexed('git')])).toBe(says);
    const clash = foundNeeded(picture, 'n1.Blog.route', [wanted('n1.Blog'), indexed('Blog'), published('Blog')]);
    expect(clash).toBe("n1.Blog is held: its name differs from blog's in case alone");
  });

  it('speaks against taking a credential where what it was made for is needed', () => {
    const { picture } = gone().kernel;
    const found = foundNeeded(picture, 'n1.mail.secret-database', [wanted('n1.mail'), indexed('mail'), published('mail', 'database')]);
    expect(found).toBe('n1.mail needs it at build b1');
  });

  it('leaves the picture as it is, with the times at which what is gone went', () => {
    const mesh = gone();
    const before = JSON.stringify(mesh.kernel.picture.memory());
    mesh.pass(30_000);
    mesh.live.set('mesh-controller_wants n1.git', { build: 'b1' });
    mesh.answer('n1.git.route.g1', 'Approve');
    expect(mesh.faults()).toContain('ask-disagrees n1');
    expect(JSON.stringify(mesh.kernel.picture.memory())).toBe(before);
  });
});
