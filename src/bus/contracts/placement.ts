import { z } from 'zod';
import { Name } from './common.ts';

/** `mesh-placement_modules`, `<node>.<module>`. */
export const Placement = z.object({
  dirs: z.record(z.string(), z.string()).optional(),
  ports: z.record(z.string(), z.number()).optional(),
  access: z.record(z.string(), z.string()).optional(),
});
export type Placement = z.infer<typeof Placement>;

/** `mesh-placement_machines`, `<node>`. */
export const Machine = z.object({ address: z.string(), account: z.string().optional() });
export type Machine = z.infer<typeof Machine>;

/** `mesh-placement_seats`, `<seat>`. */
export const Seat = z.object({ node: Name, module: Name });
export type Seat = z.infer<typeof Seat>;
