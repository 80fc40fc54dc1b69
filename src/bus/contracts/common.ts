import { z } from 'zod';
import { HALF_PAIR } from './tokens.ts';

const DEEPEST = 64;

/** RFC 3339 in UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
export const Time = z.iso.datetime({ precision: 3, error: 'expected a time such as 2026-11-02T22:55:58.000Z' });
/** As others write times: RFC 3339 in UTC, whatever the precision. */
export const ForeignTime = z.iso.datetime({ error: 'expected a time such as 2026-11-02T22:55:58.000Z' });
/** A name can be a key's token: it is not empty and has no half of a surrogate pair. */
export const Name = name();
export const Build = name();
export const Generation = z.int().min(1);

/** `<node>.<module>.<provision>[.<local>]`, tokens encoded: one provision of one consumer. */
export const Key = z.string().min(1);

/** One `<node>.<module>` by its names. */
export const Place = z.object({ node: Name, module: Name });
export type Place = z.infer<typeof Place>;

/** One entry that a judgement used. */
export const Evidence = z.object({ bucket: z.string(), key: z.string(), revision: z.int() });
export type Evidence = z.infer<typeof Evidence>;

type JsonValue = z.infer<ReturnType<typeof z.json>>;

/** What `JSON.parse` gave, at most 64 deep: whatever walks it later has stack enough. */
export const Json = z.unknown().superRefine((value, context) => {
  const wrong = value === undefined ? 'expected a value' : isDeeper(value, DEEPEST) ? `expected at most ${DEEPEST} levels` : undefined;
  if (wrong !== undefined) context.addIssue({ code: 'custom', message: wrong });
}) as unknown as z.ZodType<JsonValue>;

function name() {
  return z
    .string()
    .min(1, 'expected a name that is not empty')
    .refine((name) => !HALF_PAIR.test(name), 'expected a name in whole Unicode characters');
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
