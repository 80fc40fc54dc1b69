import { z } from 'zod';
import { Build, Name } from '../bus/contracts/common.ts';
import { Composition, Contribution, Fill, Need, Offer } from '../bus/contracts/compositions.ts';
import { Machine, Placement } from '../bus/contracts/placement.ts';
import { placeholdersOf } from '../machines/placeholders.ts';
import { registry } from '../machines/registry.ts';
import { known } from '../source.ts';

/** A module on a node: where it is placed and, with `build`, which build should run there. */
const PlacedModule = known({ build: Build.optional(), ...Placement.shape });

const Node = known({ ...Machine.shape, modules: z.record(Name, PlacedModule).default({}) });

/** `mesh.yaml`: the nodes of a mesh with what belongs on each, and who holds which seat. */
export const MeshFile = known({
  mesh: Name,
  seats: z.record(Name, known({ node: Name, module: Name })).default({}),
  nodes: z.record(Name, Node),
});
export type MeshFile = z.infer<typeof MeshFile>;

const StrictComposition = known({
  needs: z.array(known(Need.shape)).default([]),
  offers: z.array(known({ ...Offer.shape, credential: z.enum(['pair', 'secret', 'none']) })).default([]),
  contributes: z.array(known(Contribution.shape)).default([]),
  fills: z.array(known(Fill.shape)).default([]),
}).superRefine((composition, context) => {
  for (const { path, message } of Composition.safeParse(composition).error?.issues ?? [])
    context.addIssue({ code: 'custom', path, message });
  for (const path of malformed(composition))
    context.addIssue({ code: 'custom', path, message: `expected \${<kind>:<name>} with a kind of ${kinds}, or $\${ for a plain \${` });
});

const kinds = Object.keys(registry).join(', ');

/** The paths of the texts that hold what looks like a placeholder and is none. */
function malformed(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value === 'string') return placeholdersOf(value).some(({ kind }) => kind === 'malformed') ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => malformed(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => malformed(field, [...path, name]));
}

/** `modules/<module>.yaml`: a module's builds with their compositions; a build with nothing after it has none published. */
export const ModuleFile = known({ newest: Build.optional(), builds: z.record(Name, StrictComposition.nullable()).default({}) });
export type ModuleFile = z.infer<typeof ModuleFile>;
