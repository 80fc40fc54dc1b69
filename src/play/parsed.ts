import type { z } from 'zod';
import { parseText } from '../bus/contracts/parse.ts';

/** An entry's text by its schema; `undefined` where there is none or it does not fit. */
export function parsed<T>(schema: z.ZodType<T>, text: string | undefined): T | undefined {
  const read = text === undefined ? undefined : parseText(schema, text);
  return read?.ok === true ? read.value : undefined;
}
