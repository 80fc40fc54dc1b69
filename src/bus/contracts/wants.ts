import { z } from 'zod';
import { Build } from './common.ts';

/** `mesh-controller_wants`, `<node>.<module>`. */
export const Want = z.object({ build: Build });
export type Want = z.infer<typeof Want>;
