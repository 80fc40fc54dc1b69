import { z } from 'zod';
import { Build, ForeignTime, Json } from './common.ts';

/** `mesh-provisioner_applied`, `<node>.<module>`, by the node's client. */
export const Applied = z.object({ build: Build, files: z.array(z.string()), at: ForeignTime });
export type Applied = z.infer<typeof Applied>;

/** `mesh-provisioner_collect`, `<node>.<collection>.<contributor>`, by the node's client. */
export const Collected = z.object({ item: Json, at: ForeignTime });
export type Collected = z.infer<typeof Collected>;
