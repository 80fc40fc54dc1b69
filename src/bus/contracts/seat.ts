import { z } from 'zod';
import { Time } from './common.ts';

/** `mesh-provisioner_seat`, `holder`: who holds the seat. `until` is for people; nobody compares it with a clock (E4). */
export const Holder = z.object({ instance: z.string(), epoch: z.int().min(0), until: Time });
export type Holder = z.infer<typeof Holder>;
