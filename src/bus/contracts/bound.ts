import { z } from 'zod';
import { ForeignTime, Generation } from './common.ts';

/** `<provider-module>_bound`, `<key>`: what the provider says of a key. Never holds a secret. */
export const Outcome = z.object({
  state: z.enum(['provided', 'failed', 'waits']),
  generation: Generation,
  why: z.string().optional(),
  value: z.record(z.string(), z.string()).optional(),
  at: ForeignTime,
});
export type Outcome = z.infer<typeof Outcome>;
