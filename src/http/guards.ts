import { createHash, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a host of `--http` is this machine alone. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host);
}

/** Refuses a request that names another host than this machine: a page elsewhere whose name was pointed here (DNS rebinding). */
export function onlyThisHost(anywhere: boolean): MiddlewareHandler {
  return async (context, next) => {
    const host = context.req.header('host') ?? '';
    if (anywhere || isLoopback(host.replace(/:\d+$/, ''))) return next();
    return context.json({ code: 403, says: `this page is served to this machine alone, not as ${JSON.stringify(host)}` }, 403);
  };
}

/** Refuses a word that another site's page sends through the operator's browser. */
export const onlySameOrigin: MiddlewareHandler = async (context, next) => {
  const origin = context.req.header('origin');
  const site = context.req.header('sec-fetch-site');
  const elsewhere = origin !== undefined && hostOf(origin) !== context.req.header('host');
  if (elsewhere || (site !== undefined && site !== 'same-origin' && site !== 'none')) {
    return context.json({ code: 403, says: 'words that act are refused across origins' }, 403);
  }
  return next();
};

/** Whether a request carries the token that `serve` printed. */
export function carriesToken(authorization: string | undefined, token: string): boolean {
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`));
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
