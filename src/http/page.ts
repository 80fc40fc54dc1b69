import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Context } from 'hono';
import { html } from 'hono/html';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const ASSET = /^[\w-]+(\.[\w-]+)*\.(js|css|svg)$/;

/** The page, from the folder that `npm run build:page` made. Nothing in it comes from elsewhere. */
export async function page(context: Context, folder: string): Promise<Response> {
  const text = await fileOr(undefined, folder, 'index.html');
  context.header('content-security-policy', POLICY);
  context.header('cache-control', 'no-store');
  context.header('x-content-type-options', 'nosniff');
  if (text !== undefined) return context.html(text.toString());
  return context.html(
    html`<!doctype html><html lang="en"><title>mesh-provisioner</title><p>The page is not built yet: <code>npm run build:page</code> builds it.</p></html>`,
    503,
  );
}

/** A file that the page is made of; its name has its content's hash, so it may be kept for good. */
export async function asset(context: Context, folder: string): Promise<Response> {
  const name = context.req.param('name') ?? '';
  const file = ASSET.test(name) ? await fileOr(undefined, folder, 'assets', name) : undefined;
  if (file === undefined) return context.notFound();
  context.header('x-content-type-options', 'nosniff');
  context.header('cache-control', 'public, max-age=31536000, immutable');
  return context.body(new Uint8Array(file), 200, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream' });
}

async function fileOr<T>(otherwise: T, ...path: string[]): Promise<Buffer | T> {
  try {
    return await readFile(join(...path));
  } catch {
    return otherwise;
  }
}
