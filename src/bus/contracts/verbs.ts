import { z } from 'zod';
import { Answer, AskRecord } from './asks.ts';
import { Evidence, Json, Key, Name, Time } from './common.ts';
import { Fault } from './faults.ts';
import { Plan } from './plans.ts';
import { KeyDetail, KeyState, Provision } from './provisions.ts';

const Row = z.object({ key: z.string(), value: z.unknown() });
const said = { by: Name, why: Name };

export const Missing = z.object({ read: z.string(), since: Time, why: z.string() });
export type Missing = z.infer<typeof Missing>;

export const Pass = z.object({
  node: z.string(),
  judged: z.int(),
  retires: z.array(Key),
  braked: Fault.optional(),
});
export type Pass = z.infer<typeof Pass>;

export const WaitingAsk = z.object({ id: z.string(), subject: Key, since: Time, why: z.string() });
export type WaitingAsk = z.infer<typeof WaitingAsk>;

export const Health = z.object({
  healthy: z.boolean(),
  gate: z.object({ open: z.boolean(), missing: z.array(Missing) }),
  faults: z.array(Fault),
  asks: z.object({ open: z.int(), waiting: z.int(), oldestWaiting: Time.optional() }),
  seat: z.object({ instance: z.string(), epoch: z.int() }),
});
export type Health = z.infer<typeof Health>;

const Filter = z.object({ node: Name.optional(), module: Name.optional(), state: KeyState.optional() });

/** What the journal shows of a key, a node or a module: newest last. */
export const Happening = z.object({ seq: z.int(), at: Time, says: z.string() });
export type Happening = z.infer<typeof Happening>;

/** Why it is so, since when, on what evidence, what would change it, and what happened. */
export const Explanation = z.object({
  state: KeyState.optional(),
  detail: KeyDetail.optional(),
  why: z.string(),
  since: Time.optional(),
  evidence: z.array(Evidence),
  changes: z.array(z.string()),
  happened: z.array(Happening),
});
export type Explanation = z.infer<typeof Explanation>;

const Explain = z
  .object({ key: Key.optional(), node: Name.optional(), module: Name.optional() })
  .refine(({ key, node, module }) => (key === undefined ? node !== undefined : node === undefined && module === undefined), {
    error: 'expected key, or node, or node and module',
  });

const Compose = z
  .object({
    node: Name.optional(),
    fault: z.string().optional(),
    consumers: z.array(z.string()).optional(),
    'retire-many': z.boolean().optional(),
    'dry-run': z.boolean().optional(),
    ...said,
  })
  .refine((request) => request['retire-many'] !== true || request.node !== undefined || request.fault !== undefined, {
    error: 'expected node or fault with retire-many',
  });

/** Each verb's subject, with the schemas of its request and its answer. `mesh-router.raise.<asker>` is `mesh-router.raise` for that asker alone. */
export const verbs = {
  'mesh-provisioner.provisioning': {
    request: z.object({
      what: z.enum(['registry', 'needs', 'applied', 'collect']).optional(),
      node: Name.optional(),
      module: Name.optional(),
      collection: Name.optional(),
    }),
    answer: z.object({ rows: z.array(Row), outOfShape: z.array(z.object({ key: z.string(), why: z.string() })) }),
  },
  'mesh-provisioner.plans': { request: Filter, answer: z.object({ rows: z.array(z.object({ key: z.string(), value: Plan })) }) },
  'mesh-provisioner.provisions': { request: Filter, answer: z.object({ rows: z.array(z.object({ key: Key, value: Provision })) }) },
  'mesh-provisioner.health': { request: z.object({}), answer: Health },
  'mesh-provisioner.explain': { request: Explain, answer: Explanation },
  'mesh-provisioner.asks': {
    request: z.object({}),
    answer: z.object({ open: z.array(AskRecord.extend({ id: z.string() })), waiting: z.array(WaitingAsk) }),
  },
  'mesh-provisioner.compose': {
    request: Compose,
    answer: z.object({ passes: z.array(Pass) }),
  },
  'mesh-provisioner.reconsider': { request: z.object({ key: Key, ...said }), answer: z.object({ key: Key, state: KeyState }) },
  'mesh-provisioner.accept': {
    request: z.object({ read: Name, entries: z.int().min(0).optional(), ...said }),
    answer: z.object({ read: z.string(), entries: z.int() }),
  },
  'mesh-router.raise': {
    request: z.object({ id: Name, asker: Name, subject: Name, question: z.string(), proof: Json }),
    answer: z.object({}),
  },
  'mesh-router.end': { request: z.object({ id: Name, why: Name }), answer: z.object({}) },
  'mesh-router.answer': { request: z.object({ id: Name, answer: Answer, by: Name, why: z.string().optional() }), answer: z.object({}) },
  'mesh-router.asks': {
    request: z.object({ asker: Name.optional(), state: AskRecord.shape.state.optional() }),
    answer: z.object({ rows: z.array(AskRecord.extend({ id: z.string() })) }),
  },
} as const;
export type Verb = keyof typeof verbs;
export type RequestOf<V extends Verb> = z.infer<(typeof verbs)[V]['request']>;
export type AnswerOf<V extends Verb> = z.infer<(typeof verbs)[V]['answer']>;
