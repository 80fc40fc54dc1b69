import type { Context } from 'hono';
import type { ReadRecords } from './fold.ts';

const RECORDS_MAX = 1_000;
const BYTES_MAX = 16 * 1024 * 1024;

/** The journal's records `from` to `to`, as JSON, one a line with its `seq`: what `replay` reads. At most {@link RECORDS_MAX} of them. */
export async function journalLines(context: Context, records: ReadRecords): Promise<Response> {
  const from = Math.max(1, numberIn(context, 'from', 1));
  const to = Math.min(numberIn(context, 'to', Number.MAX_SAFE_INTEGER), from + RECORDS_MAX - 1);
  let text = '';
  for await (const record of records(from)) {
    if (record.sequence > to || text.length > BYTES_MAX) break;
    text += `{"seq":${record.sequence},${record.text.slice(1)}\n`;
  }
  return context.body(text, 200, { 'content-type': 'application/x-ndjson' });
}

function numberIn(context: Context, name: string, otherwise: number): number {
  const number = Number(context.req.query(name) ?? otherwise);
  return Number.isSafeInteger(number) ? number : otherwise;
}
