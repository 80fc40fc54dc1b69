import type { Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { actorAt } from './live/actor.ts';
import { events } from './live/events.ts';
import type { Live } from './live/live.ts';
import type { LivePicture } from './live/picture.ts';
import { asset, page } from './page.ts';
import type { ReadRecords } from './past/fold.ts';
import { journalLines } from './past/journal-lines.ts';
import type { Past } from './past/past.ts';

export interface Inspected {
  readonly live: Live;
  readonly past: Past;
  readonly records: ReadRecords;
  /** Where the built page is. */
  readonly folder: string;
}

const VIEWS = ['/', '/nodes/:node', '/keys/:key', '/asks', '/asks/:id', '/gate', '/faults', '/log'];

/** The page, what it follows and what it looks up. All of it reads; words that act are verbs. */
export function inspector(app: Hono, { live, past, records, folder }: Inspected): void {
  for (const view of VIEWS) app.get(view, (context) => page(context, folder));
  app.get('/assets/:name', (context) => asset(context, folder));
  app.get('/events', (context) => events(context, live));
  app.get('/api/picture', async (context) => {
    const at = timeIn(context);
    return context.json(at === undefined ? live.present() : await past.at(at, (picture) => picture.whole()));
  });
  app.get('/api/node', async (context) => {
    const node = context.req.query('node') ?? '';
    return look(context, live, past, (picture) => ({
      keys: picture.keysOf(node),
      faults: picture.faultsOf(node),
      plans: picture.plansOf(node),
    }));
  });
  app.get('/api/actor', async (context) => {
    const path = context.req.query('path') ?? '';
    return look(context, live, past, (picture) => actorAt(picture.kernel.roots, path));
  });
  app.get('/api/timeline', async (context) => context.json(await past.timeline()));
  app.get('/api/journal', (context) => journalLines(context, records));
}

/** Answers from the present, or from the moment that `at` names. */
async function look(context: Context, live: Live, past: Past, see: (picture: LivePicture) => unknown): Promise<Response> {
  const at = timeIn(context);
  const seen = at === undefined ? live.picture && see(live.picture) : await past.at(at, see);
  if (seen !== undefined) return context.json(seen as object);
  const [code, says] =
    at === undefined && live.picture === undefined ? [503, 'this instance does not hold the seat'] : [404, 'there is no such actor'];
  return context.json({ code, says }, code as ContentfulStatusCode);
}

function timeIn(context: Context): number | undefined {
  const at = Date.parse(context.req.query('at') ?? '');
  return Number.isNaN(at) ? undefined : at;
}
