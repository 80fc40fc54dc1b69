import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { Hono } from 'hono';
import { Failure } from '../failure.ts';

/** A server that listens, and how to end it. */
export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves an app on a host and port, port 0 meaning a free one. Throws a {@link Failure} where the port cannot be had. */
export async function listen(app: Hono, host: string, port: number): Promise<Listening> {
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((done, fail) => {
    server.once('error', (cause: NodeJS.ErrnoException) => fail(cannotListen(host, port, cause)));
    server.listen(port, host.replace(/^\[|\]$/g, ''), done);
  });
  const { port: given } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${given}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}

/** Whether a {@link Failure} of {@link listen} means that another process has the port. */
export function isPortTaken(error: unknown): boolean {
  return error instanceof Failure && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE';
}

function cannotListen(host: string, port: number, cause: NodeJS.ErrnoException): Failure {
  const says =
    cause.code === 'EADDRINUSE'
      ? `port ${port} on ${host} is in use by another process: stop it, or name another with --http ${host}:PORT (0 is a free one)`
      : `cannot listen on ${host}:${port}: ${cause.message}`;
  return new Failure('failed', says, { cause });
}
