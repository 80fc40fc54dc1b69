import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Health, Verb } from '../bus/contracts/verbs.ts';
import type { ServiceReply } from '../bus/port.ts';
import { carriesToken, onlySameOrigin, onlyThisHost } from './guards.ts';
import { type Inspected, inspector } from './inspector.ts';
import type { Metrics } from './metrics.ts';
import { type Probed, probes } from './probes.ts';
import { isRead, verbNamed } from './verb-names.ts';

/** The running seat, as the page and the commands reach it. */
export interface SeatBehind extends Probed {
  call(verb: Verb, request: unknown): Promise<ServiceReply>;
  health(): Health;
}

export interface HttpParts {
  /** `undefined` while it starts. */
  seat(): SeatBehind | undefined;
  /** Words that act: on the way that the operator has to the seat. */
  act(verb: Verb, request: unknown): Promise<ServiceReply>;
  /** Publishes a mesh folder's entries, or says what that would change. */
  apply(request: unknown): Promise<ServiceReply>;
  readonly metrics: Pick<Metrics, 'scrape'>;
  readonly token: string;
  /** Served to other machines too, because that was asked for. */
  readonly anywhere: boolean;
  readonly inspected: Inspected;
}

const BODY_BYTES_MAX = 64 * 1024 * 1024;
/** What every verb is answered while the seat starts. */
export const STARTING: ServiceReply = { ok: false, code: 503, says: 'the seat is starting' };

/** The page and `/api`, as an app that has no port yet. */
export function httpApp({ seat, act, apply, metrics, token, anywhere, inspected }: HttpParts): Hono {
  const app = new Hono();
  app.use(onlyThisHost(anywhere));
  inspector(app, inspected);
  probes(app, seat);
  app.get('/metrics', async (context) => {
    const { text, type } = await metrics.scrape();
    return context.body(text, 200, { 'content-type': type, 'cache-control': 'no-store' });
  });

  const acts = [onlySameOrigin, bodyLimit({ maxSize: BODY_BYTES_MAX, onError: (context) => refuse(context, 413, 'too large') })] as const;
  app.post('/api/apply', ...acts, async (context) => {
    if (!carriesToken(context.req.header('authorization'), token)) return noToken(context);
    return withBody(context, apply);
  });
  app.post('/api/:verb', ...acts, async (context) => {
    const verb = verbNamed(context.req.param('verb'));
    if (verb === undefined) return noSuchVerb(context);
    if (!isRead(verb) && !carriesToken(context.req.header('authorization'), token)) return noToken(context);
    if (!isRead(verb)) return withBody(context, (request) => act(verb, request));
    return withBody(context, async (request) => seat()?.call(verb, request) ?? STARTING);
  });
  app.get('/api/:verb', async (context) => {
    const verb = verbNamed(context.req.param('verb'));
    if (verb === undefined) return noSuchVerb(context);
    if (!isRead(verb)) return refuse(context, 405, `${verb} acts: it is asked by POST, with the token`);
    return reply(context, (await seat()?.call(verb, context.req.query())) ?? STARTING);
  });
  app.notFound((context) => refuse(context, 404, `no such page: ${context.req.path}`));
  app.onError((error, context) => refuse(context, 500, error.message));
  return app;
}

async function withBody(context: Context, handle: (request: unknown) => Promise<ServiceReply>): Promise<Response> {
  const text = await context.req.text();
  let request: unknown;
  try {
    request = text === '' ? {} : JSON.parse(text);
  } catch (error) {
    return refuse(context, 400, `the request is not JSON: ${(error as Error).message}`);
  }
  return reply(context, await handle(request));
}

function reply(context: Context, answer: ServiceReply): Response {
  if (!answer.ok) return refuse(context, answer.code, answer.says);
  return context.body(answer.text, 200, { 'content-type': 'application/json' });
}

function noSuchVerb(context: Context): Response {
  return refuse(context, 404, `no such verb: ${context.req.param('verb')}`);
}

function noToken(context: Context): Response {
  return refuse(context, 401, 'words that act need the token that serve printed: Authorization: Bearer <token>');
}

function refuse(context: Context, code: number, says: string): Response {
  const status = code >= 400 && code <= 599 ? code : 500;
  return context.json({ code, says }, status as ContentfulStatusCode);
}
