import { z } from 'zod';
import { ForeignTime, Json, Name } from './common.ts';

export const Answer = z.enum(['Approve', 'Keep']);
export type Answer = z.infer<typeof Answer>;

/** `mesh-router_asks`, `<ask id>`: the router's own record of an ask. */
export const AskRecord = z.object({
  asker: Name,
  subject: Name,
  question: z.string(),
  proof: Json,
  options: z.array(z.string()),
  state: z.enum(['open', 'answered', 'ended']),
  raisedAt: ForeignTime,
  answer: Answer.optional(),
  by: z.string().optional(),
  answeredAt: ForeignTime.optional(),
  why: z.string().optional(),
});
export type AskRecord = z.infer<typeof AskRecord>;
