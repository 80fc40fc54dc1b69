import type { z } from 'zod';

/** An entry's text by its schema; `undefined` where there is none or it does not fit. */
export function parsed<T>(schema: z.ZodType<T>, text: string | undefined): T | undefined {
  if (text === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
