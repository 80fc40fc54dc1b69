import { z } from 'zod';
import { Build, ForeignTime } from './common.ts';

/** `mesh-host_haves`, `<node>.<module>`. */
export const Have = z.object({
  build: Build,
  state: z.enum(['healthy', 'starting', 'unhealthy', 'failed']),
  why: z.string().optional(),
  at: ForeignTime,
});
export type Have = z.infer<typeof Have>;
