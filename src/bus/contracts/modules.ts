import { z } from 'zod';
import { Build, ForeignTime } from './common.ts';

/** `mesh-indexer_modules`, `<module>`. */
export const IndexedModule = z.object({
  newest: Build.optional(),
  builds: z.array(Build).optional(),
  at: ForeignTime,
});
export type IndexedModule = z.infer<typeof IndexedModule>;
