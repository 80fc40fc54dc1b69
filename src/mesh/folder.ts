import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Failure } from '../failure.ts';
import { type Mistake, mistakeLine, readSource, type Source } from '../source.ts';
import { MeshFile, ModuleFile } from './format.ts';

/** A mesh folder, whole and without a mistake. */
export interface Mesh {
  readonly name: string;
  readonly nodes: MeshFile['nodes'];
  readonly seats: MeshFile['seats'];
  readonly modules: Readonly<Record<string, ModuleFile>>;
}

/** Reads `mesh.yaml` and `modules/*.yaml`. Throws a {@link Failure} that lists every mistake of the folder: one mistake and nothing is read. */
export function readMesh(folder: string): Mesh {
  const meshFile = join(folder, 'mesh.yaml');
  if (!existsSync(meshFile)) throw new Failure('failed', `${folder} is not a mesh folder: expected ${meshFile}`);
  const mistakes: Mistake[] = [];
  const modules = readModules(join(folder, 'modules'), mistakes);
  const mesh = readSource(meshFile, readFileSync(meshFile, 'utf8'), MeshFile);
  if (Array.isArray(mesh)) mistakes.push(...mesh);
  else mistakes.push(...unknownNames(mesh, modules));
  if (mistakes.length > 0 || Array.isArray(mesh)) {
    throw new Failure('failed', [...new Set(mistakes.map(mistakeLine)), 'nothing was published'].join('\n'));
  }
  const read = [...modules].flatMap(([name, source]) => (source === undefined ? [] : [[name, source.value] as const]));
  return { name: mesh.value.mesh, nodes: mesh.value.nodes, seats: mesh.value.seats, modules: Object.fromEntries(read) };
}

/** By module; `undefined` is one whose file has a mistake of its own. */
type Modules = Map<string, Source<ModuleFile> | undefined>;

function readModules(folder: string, mistakes: Mistake[]): Modules {
  const modules: Modules = new Map();
  if (!existsSync(folder)) return modules;
  for (const file of readdirSync(folder).sort()) {
    const path = join(folder, file);
    if (!file.endsWith('.yaml')) {
      mistakes.push({ file: path, line: 1, column: 1, says: 'found another kind of file, expected <module>.yaml' });
      continue;
    }
    const source = readSource(path, readFileSync(path, 'utf8'), ModuleFile);
    if (Array.isArray(source)) mistakes.push(...source);
    modules.set(basename(file, '.yaml'), Array.isArray(source) ? undefined : source);
  }
  return modules;
}

/** Names that one file uses and no file explains: each is far more often a slip than meant. */
function unknownNames(mesh: Source<MeshFile>, modules: Modules): Mistake[] {
  const mistakes: Mistake[] = [];
  for (const [node, { modules: placed }] of Object.entries(mesh.value.nodes)) {
    for (const [module, { build }] of Object.entries(placed)) {
      const path = ['nodes', node, 'modules', module];
      if (!modules.has(module)) mistakes.push(mesh.mistake(path, `found no file for it, expected modules/${module}.yaml`));
      const builds = modules.get(module)?.value.builds;
      if (build === undefined || builds === undefined || Object.hasOwn(builds, build)) continue;
      mistakes.push(
        mesh.mistake([...path, 'build'], `found ${JSON.stringify(build)}, expected a build of modules/${module}.yaml: ${list(builds)}`),
      );
    }
  }
  for (const [seat, { node, module }] of Object.entries(mesh.value.seats)) {
    const placed = mesh.value.nodes[node]?.modules;
    if (placed === undefined)
      mistakes.push(mesh.mistake(['seats', seat, 'node'], `found "${node}", expected a node: ${list(mesh.value.nodes)}`));
    else if (!Object.hasOwn(placed, module)) {
      mistakes.push(mesh.mistake(['seats', seat, 'module'], `found "${module}", expected a module of ${node}: ${list(placed)}`));
    }
  }
  for (const [module, source] of modules) {
    const { newest, builds } = source?.value ?? {};
    if (source === undefined || newest === undefined || builds === undefined || Object.hasOwn(builds, newest)) continue;
    mistakes.push(source.mistake(['newest'], `found ${JSON.stringify(newest)}, expected one of the builds of ${module}: ${list(builds)}`));
  }
  return mistakes;
}

function list(named: Readonly<Record<string, unknown>>): string {
  return Object.keys(named).join(', ') || 'there is none';
}
