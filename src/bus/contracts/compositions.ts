import { z } from 'zod';
import { Json, Name } from './common.ts';

export const Need = z.object({
  provision: Name,
  local: Name.optional(),
  provider: Name.optional(),
  with: z.record(z.string(), Json).optional(),
});
export type Need = z.infer<typeof Need>;

/** An offer without `credential` is in schema: it is the offer's own error, said and never guessed (C6). */
export const Offer = z.object({
  provision: Name,
  credential: z.enum(['pair', 'secret', 'none']).optional(),
  bound: z.boolean().optional(),
});
export type Offer = z.infer<typeof Offer>;

export const Contribution = z.object({ collection: Name, item: Json });
export type Contribution = z.infer<typeof Contribution>;

export const Fill = z.object({
  path: Name,
  mode: z
    .string()
    .regex(/^0?[0-7]{3,4}$/, 'expected an octal mode such as "0640"')
    .optional(),
  owner: Name.optional(),
  content: z.string(),
});
export type Fill = z.infer<typeof Fill>;

const Parts = z
  .object({
    needs: z.array(Need).default([]),
    offers: z.array(Offer).default([]),
    contributes: z.array(Contribution).default([]),
    fills: z.array(Fill).default([]),
  })
  .superRefine(({ needs }, context) => {
    const seen = new Set<string>();
    for (const [index, { provision, local }] of needs.entries()) {
      const name = JSON.stringify([provision, local]);
      if (seen.has(name)) {
        const says = `${provision}${local === undefined ? '' : `, local ${local},`} is needed twice`;
        context.addIssue({ code: 'custom', path: ['needs', index], message: says });
      }
      seen.add(name);
    }
  });

/**
 * `mesh-indexer_compositions`, `<module>.<build>`: what one module needs, offers, contributes and fills at one build.
 * A part that is not there is empty; where none of the four is there it is no composition, and never one that needs nothing.
 */
export const Composition = z.preprocess((value, context) => {
  if (isObject(value) && !Object.keys(Parts.shape).some((part) => Object.hasOwn(value, part))) {
    context.addIssue({ code: 'custom', message: 'expected needs, offers, contributes or fills' });
  }
  return value;
}, Parts);
export type Composition = z.infer<typeof Composition>;

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
