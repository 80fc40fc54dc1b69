import { z } from 'zod';
import { Build, Evidence, Generation, Json, Key, Place, Time } from './common.ts';

export const KeyState = z.enum(['loading', 'judging', 'provided', 'held', 'retiring']);
export type KeyState = z.infer<typeof KeyState>;

export const KeyDetail = z.enum([
  'asked',
  'failed',
  'blocked',
  'waits',
  'unreadable',
  'no-build',
  'unread',
  'unpublished',
  'kept',
  'moving',
  'braked',
  'dwelling',
  'waiting',
  'warranted',
]);
export type KeyDetail = z.infer<typeof KeyDetail>;

/** The operator's Approve, written into the key for its provider. */
export const Warrant = z.object({
  ask: z.string(),
  answer: z.literal('yes'),
  by: z.string(),
  at: Time,
  generation: Generation,
});
export type Warrant = z.infer<typeof Warrant>;

export const AskOfKey = z.object({ id: z.string(), state: z.enum(['waiting', 'open', 'answered']) });

export const Former = z.object({
  provider: Place,
  generation: Generation,
  state: KeyState,
  detail: KeyDetail.optional(),
  why: z.string().optional(),
  ask: AskOfKey.optional(),
  warrant: Warrant.optional(),
});
export type Former = z.infer<typeof Former>;

/** `mesh-provisioner_provisions`, `<key>`; absent once the key is gone. */
export const Provision = z.object({
  state: KeyState,
  detail: KeyDetail.optional(),
  why: z.string(),
  since: Time,
  generation: Generation,
  provider: Place.optional(),
  with: z.record(z.string(), Json),
  builds: z.array(Build),
  dependsOn: z.array(Key),
  former: z.array(Former).optional(),
  evidence: z.array(Evidence),
  ask: AskOfKey.optional(),
  warrant: Warrant.optional(),
});
export type Provision = z.infer<typeof Provision>;
