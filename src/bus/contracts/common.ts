import { z } from 'zod';

/** RFC 3339 in UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
export const Time = z.iso.datetime({ precision: 3 });
/** As others write times: RFC 3339 in UTC, whatever the precision. */
export const ForeignTime = z.iso.datetime();
export const Name = z.string().min(1);
export const Build = z.string().min(1);
export const Generation = z.int().min(1);

/** `<node>.<module>.<provision>[.<local>]`, tokens encoded: one provision of one consumer. */
export const Key = z.string().min(1);

/** One `<node>.<module>` by its names. */
export const Place = z.object({ node: Name, module: Name });
export type Place = z.infer<typeof Place>;

/** One entry that a judgement used. */
export const Evidence = z.object({ bucket: z.string(), key: z.string(), revision: z.int() });
export type Evidence = z.infer<typeof Evidence>;
