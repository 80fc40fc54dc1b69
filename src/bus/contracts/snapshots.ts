import { z } from 'zod';
import { Json } from './common.ts';

/** A snapshot too large to be written as it is: its JSON, deflated, in base64. */
export const Deflated = z.object({ deflate: z.base64() });
export type Deflated = z.infer<typeof Deflated>;

/** The supervisor's own, written last: the journal's sequence that it holds, and the revision of every piece that belongs to it (E2). */
export const SupervisorSnapshot = z.looseObject({
  seq: z.int().min(0),
  version: z.union([z.int(), z.string()]),
  owed: Json,
  pieces: z.record(z.string(), z.int()),
});
export type SupervisorSnapshot = z.infer<typeof SupervisorSnapshot>;

/** `mesh-provisioner_snapshots`: `supervisor`, `node.<node>` or `module.<module>`; a piece is a machine's snapshot or what was last read of a module. */
export const Snapshot = z.union([Deflated, SupervisorSnapshot, z.record(z.string(), Json)]);
export type Snapshot = z.infer<typeof Snapshot>;
