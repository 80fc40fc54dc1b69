import { z } from 'zod';
import { Name } from './common.ts';

export const Need = z.object({
  provision: Name,
  local: Name.optional(),
  provider: Name.optional(),
  with: z.record(z.string(), z.json()).optional(),
});
export type Need = z.infer<typeof Need>;

/** An offer without `credential` is in schema: it is the offer's own error, said and never guessed (C6). */
export const Offer = z.object({
  provision: Name,
  credential: z.enum(['pair', 'secret', 'none']).optional(),
  bound: z.boolean().optional(),
});
export type Offer = z.infer<typeof Offer>;

export const Contribution = z.object({ collection: Name, item: z.json() });
export type Contribution = z.infer<typeof Contribution>;

export const Fill = z.object({
  path: Name,
  mode: z.string().regex(/^0?[0-7]{3,4}$/, 'expected an octal mode such as "0640"').optional(),
  owner: Name.optional(),
  content: z.string(),
});
export type Fill = z.infer<typeof Fill>;

/** `mesh-indexer_compositions`, `<module>.<build>`: what one module needs, offers, contributes and fills at one build. */
export const Composition = z
  .object({
    needs: z.array(Need).default([]),
    offers: z.array(Offer).default([]),
    contributes: z.array(Contribution).default([]),
    fills: z.array(Fill).default([]),
  })
  .superRefine((composition, context) => {
    const seen = new Set<string>();
    for (const [index, need] of composition.needs.entries()) {
      const name = JSON.stringify([need.provision, need.local ?? null]);
      if (seen.has(name)) {
        context.addIssue({
          code: 'custom',
          path: ['needs', index],
          message: `${need.provision}${need.local === undefined ? '' : `.${need.local}`} is needed twice`,
        });
      }
      seen.add(name);
    }
  });
export type Composition = z.infer<typeof Composition>;
