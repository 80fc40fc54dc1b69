import { z } from 'zod';
import { inputBuckets } from '../bus/contracts/buckets.ts';
import { keyOf } from '../bus/contracts/tokens.ts';
import type { Mesh } from './folder.ts';

/** One entry that a mesh folder publishes. The time an indexer's entry needs is added as it is written. */
export const MeshEntry = z.object({ bucket: z.enum(inputBuckets), key: z.string().min(1), value: z.record(z.string(), z.json()) });
export type MeshEntry = z.infer<typeof MeshEntry>;

/** Everything a mesh folder says, as entries of the input buckets. */
export function entriesOf(mesh: Mesh): MeshEntry[] {
  const entries: MeshEntry[] = [];
  const add = (bucket: MeshEntry['bucket'], key: string, value: object) => {
    entries.push({ bucket, key, value: JSON.parse(JSON.stringify(value)) });
  };
  for (const [module, { newest, builds }] of Object.entries(mesh.modules)) {
    for (const [build, composition] of Object.entries(builds)) {
      if (composition !== null) add('mesh-indexer_compositions', keyOf(module, build), composition);
    }
    add('mesh-indexer_modules', keyOf(module), { newest, builds: Object.keys(builds) });
  }
  for (const [node, { modules, address, account }] of Object.entries(mesh.nodes)) {
    add('mesh-placement_machines', keyOf(node), { address, account });
    for (const [module, { build, ...placement }] of Object.entries(modules)) {
      add('mesh-placement_modules', keyOf(node, module), placement);
      if (build !== undefined) add('mesh-controller_wants', keyOf(node, module), { build });
    }
  }
  for (const [seat, place] of Object.entries(mesh.seats)) add('mesh-placement_seats', keyOf(seat), place);
  return entries;
}
