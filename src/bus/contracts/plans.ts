import { z } from 'zod';
import { Build, Evidence, Json, Key } from './common.ts';
import { Contribution, Fill } from './compositions.ts';

/** Where a placeholder's value is found: in the plan, in a bucket, or behind a seat's verb. */
export const PlanValue = z.union([
  z.object({ value: Json }),
  z.object({ bucket: z.string(), key: z.string(), field: z.string().optional() }),
  z.object({ verb: z.string(), request: Json, field: z.string().optional() }),
]);
export type PlanValue = z.infer<typeof PlanValue>;

/** `mesh-provisioner_plans`, `<node>.<module>`. */
export const Plan = z.object({
  build: Build,
  held: z.string().optional(),
  values: z.record(z.string(), PlanValue),
  fills: z.array(Fill),
  provisions: z.array(Key),
  collections: z.array(Contribution),
  evidence: z.array(Evidence),
});
export type Plan = z.infer<typeof Plan>;
