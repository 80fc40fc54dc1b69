import { readFile } from 'node:fs/promises';
import { type ConnectionOptions, credsAuthenticator, connect as dial } from 'nats';
import { BusError } from '../port.ts';
import { busError } from './errors.ts';
import { NatsBus } from './nats-bus.ts';

const RECONNECT_EVERY_MS = 250;
/** Two pings without an answer and a half-open connection is given up. */
const PING_EVERY_MS = 5_000;

export interface ConnectOptions {
  /** How the server lists this connection. */
  readonly name: string;
  /** A NATS credentials file. A user and password may stand in the URL instead. */
  readonly credentials?: string;
}

/**
 * Connects to the NATS server at `nats://[user:password@]host[:port]`, and again and again once it was lost.
 * Throws {@link BusError}: `unreachable` where nothing answers there, `permission` where it does not let this one in.
 */
export async function connect(url: string, { name, credentials }: ConnectOptions): Promise<NatsBus> {
  const at = addressOf(url);
  const options: ConnectionOptions = {
    servers: at.host,
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_EVERY_MS,
    pingInterval: PING_EVERY_MS,
    ...who(at),
    ...(credentials !== undefined && { authenticator: credsAuthenticator(await fileOf(credentials)) }),
  };
  try {
    return new NatsBus(await dial(options), `nats://${at.host}`);
  } catch (cause) {
    const error = busError(`connect to nats://${at.host}`, cause);
    if (error.code !== 'unreachable' && error.code !== 'timeout') throw error;
    throw new BusError('unreachable', `no NATS server answers at nats://${at.host}: start one there, or name another with --bus`, {
      cause,
    });
  }
}

function addressOf(url: string): URL {
  if (URL.canParse(url) && new URL(url).protocol === 'nats:') return new URL(url);
  throw new BusError('failed', `"${url}" is no address of a NATS server: expected nats://host:port`);
}

/** A user's inbox is its own, so that an account can grant it no other. */
function who({ username, password }: URL): ConnectionOptions {
  if (username === '') return {};
  const user = decodeURIComponent(username);
  return { user, pass: decodeURIComponent(password), inboxPrefix: `_INBOX_${user}` };
}

async function fileOf(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new BusError('failed', `the credentials file ${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
}
