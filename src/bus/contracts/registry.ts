import { z } from 'zod';

export const PlaceholderKind = z.enum([
  'config',
  'secret',
  'bound',
  'consumers',
  'collected',
  'shell',
  'environment',
  'contribution',
  'dir',
  'access',
  'port',
  'seat',
  'machine',
]);
export type PlaceholderKind = z.infer<typeof PlaceholderKind>;

/** `mesh-provisioner_registry`, `<kind>`: who answers a kind of placeholder, and where (R1, R2). */
export const RegistryEntry = z.object({
  owner: z.string(),
  from: z.union([z.object({ plan: z.literal(true) }), z.object({ bucket: z.string(), key: z.string() }), z.object({ verb: z.string() })]),
});
export type RegistryEntry = z.infer<typeof RegistryEntry>;
