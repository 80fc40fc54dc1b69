import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { BusError } from '../port.ts';

/**
 * Takes a folder for this process, until the returned function is called or the process dies in whatever way: the lock is an abstract
 * socket (Linux), which leaves no file behind. Throws {@link BusError} `in-use` where another holds it (E4).
 *
 * @param folder its real path, links resolved
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const server = createServer((socket) => socket.destroy());
  await listen(server, folder);
  server.unref();
  return () => new Promise((done) => server.close(() => done()));
}

function listen(server: Server, folder: string): Promise<void> {
  const name = createHash('sha256').update(folder).digest('hex');
  return new Promise((done, fail) => {
    server.once('error', (cause: NodeJS.ErrnoException) => fail(cause.code === 'EADDRINUSE' ? inUse(folder) : cannotLock(folder, cause)));
    server.listen({ path: `\0mesh-provisioner-state-${name}` }, done);
  });
}

function inUse(folder: string): BusError {
  return new BusError(
    'in-use',
    `${folder} is in use by another process: stop the one that runs on it, or name another folder with --state`,
  );
}

function cannotLock(folder: string, cause: Error): BusError {
  return new BusError('failed', `${folder} could not be locked: ${cause.message}`, { cause });
}
