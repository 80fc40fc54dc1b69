import { DrivenKernel } from './driven-kernel.ts';

const AT = '2026-11-02T20:00:00.000Z';
const WITH_DATABASE = new Set(['blog', 'wiki', 'mail']);

/** The picture of the stories: n1 runs six modules, n2 two, n3 the vault alone; every one needs a route, three a database. */
export function storiesMesh(settings: ConstructorParameters<typeof DrivenKernel>[0] = {}): DrivenKernel {
  const mesh = new DrivenKernel(settings);
  for (const module of ['blog', 'wiki', 'mail', 'git', 'chat', 'dns']) add(mesh, 'n1', module);
  for (const module of ['blog', 'wiki']) add(mesh, 'n2', module);
  add(mesh, 'n3', 'vault');
  offer(mesh, 'n4', 'router', { provision: 'route', credential: 'none', bound: true });
  offer(mesh, 'n4', 'postgres', { provision: 'database', credential: 'pair', bound: true });
  mesh.set('mesh-placement_seats', 'mesh-vault', { node: 'n3', module: 'vault' });
  return mesh;
}

export function add(mesh: DrivenKernel, node: string, module: string, build = 'b1'): void {
  index(mesh, module, [build], needsOf(module));
  mesh.put('mesh-placement_modules', `${node}.${module}`, {});
  mesh.put('mesh-controller_wants', `${node}.${module}`, { build });
  mesh.put('mesh-host_haves', `${node}.${module}`, { build, state: 'healthy', at: AT });
}

export function remove(mesh: DrivenKernel, node: string, module: string): void {
  for (const bucket of ['mesh-placement_modules', 'mesh-controller_wants', 'mesh-host_haves']) mesh.delete(bucket, `${node}.${module}`);
}

/** Every provider answers every key that asks it, at its generation. */
export function provideAll(mesh: DrivenKernel): void {
  for (const provider of ['router', 'postgres', 'vault']) if (!mesh.loaded.has(`bound.${provider}`)) mesh.load(`bound.${provider}`);
  for (let round = 0; round < 3; round += 1) {
    for (const [key, entry] of [...mesh.kernel.shown]) {
      if (entry.state !== 'judging' || entry.provider === undefined) continue;
      mesh.put(`${entry.provider.module}_bound`, key, { state: 'provided', generation: entry.generation, at: AT });
    }
  }
}

/** A started seat with every key provided. */
export function standing(settings: ConstructorParameters<typeof DrivenKernel>[0] = {}): DrivenKernel {
  const mesh = storiesMesh(settings);
  mesh.start();
  mesh.loadAll();
  provideAll(mesh);
  return mesh;
}

function index(mesh: DrivenKernel, module: string, builds: string[], composition: unknown): void {
  mesh.put('mesh-indexer_modules', module, { newest: builds.at(-1), builds, at: AT });
  for (const build of builds) mesh.put('mesh-indexer_compositions', `${module}.${build}`, composition);
}

function offer(mesh: DrivenKernel, node: string, module: string, offered: unknown): void {
  index(mesh, module, ['b1'], { needs: [], offers: [offered], contributes: [], fills: [] });
  mesh.put('mesh-placement_modules', `${node}.${module}`, {});
  mesh.put('mesh-controller_wants', `${node}.${module}`, { build: 'b1' });
  mesh.put('mesh-host_haves', `${node}.${module}`, { build: 'b1', state: 'healthy', at: AT });
}

function needsOf(module: string) {
  const needs = [{ provision: 'route', with: { host: `${module}.example` } }];
  if (WITH_DATABASE.has(module)) needs.push({ provision: 'database', with: {} as { host: string } });
  return { needs, offers: [], contributes: [], fills: [] };
}
