import { z } from 'zod';
import { Time } from './common.ts';

export const FaultKind = z.enum([
  'gate',
  'suspect-read',
  'brake',
  'mesh-brake',
  'hold',
  'unreadable',
  'out-of-shape',
  'offer',
  'ask-refused',
  'ask-disagrees',
  'key-failed',
  'write-refused',
  'seat-lost',
  'actor-failed',
  'stale-have',
  'names-clash',
]);
export type FaultKind = z.infer<typeof FaultKind>;

/** `mesh-provisioner_faults`, `<kind>.<what>…`: one entry a standing fault, deleted as it ends (H1). */
export const Fault = z.object({
  kind: FaultKind,
  says: z.string(),
  cause: z.string(),
  clears: z.string(),
  node: z.string().optional(),
  module: z.string().optional(),
  key: z.string().optional(),
  build: z.string().optional(),
  /** The consumers a brake lists, `<node>.<module>` each: what the operator's word would cover (B6). */
  consumers: z.array(z.string()).optional(),
  since: Time,
});
export type Fault = z.infer<typeof Fault>;
