import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, connect as dial } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type JetStreamManager, type NatsConnection } from 'nats';
import { findNatsServer } from '../setup/nats-server.ts';
import { until } from './until.ts';

/** A real server on a free port of the loopback, with a store of its own; the process is ended by its pid. */
export class NatsServer {
  #process: ChildProcess | undefined;
  #said = '';

  private constructor(
    readonly port: number,
    private readonly folder: string,
  ) {}

  /** @param config more of the server's configuration, such as its users */
  static async start(config = ''): Promise<NatsServer> {
    const server = new NatsServer(await freePort(), await mkdtemp(join(tmpdir(), 'nats-')));
    await server.configure(config);
    await server.start();
    return server;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  /** Starts it again with the data it had. */
  async start(): Promise<void> {
    const started = spawn(binary(), ['-c', this.#config], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#process = started;
    started.stderr.on('data', (text: Buffer) => {
      this.#said += text;
    });
    await until(() => {
      if (started.exitCode !== null) throw new Error(`nats-server ended with ${started.exitCode}: ${this.#said}`);
      return answers(this.port);
    }, `nats-server on port ${this.port}`);
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const running = this.#process;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((done) => running.once('exit', done));
    running.kill(signal);
    await ended;
  }

  /** It stays up and answers nothing. */
  freeze(): void {
    this.#process!.kill('SIGSTOP');
  }

  thaw(): void {
    this.#process!.kill('SIGCONT');
  }

  /** Takes another configuration while it runs. */
  async reconfigure(config: string): Promise<void> {
    await this.configure(config);
    const before = this.#said.length;
    this.#process!.kill('SIGHUP');
    await until(() => this.#said.includes('Reloaded server configuration', before), 'the server to take its configuration');
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Acts as an administrator with a plain client. */
  async administer<T>(act: (manager: JetStreamManager, connection: NatsConnection) => Promise<T>, user = {}): Promise<T> {
    const connection = await connect({ servers: `127.0.0.1:${this.port}`, ...user });
    try {
      return await act(await connection.jetstreamManager(), connection);
    } finally {
      await connection.close();
    }
  }

  private async configure(config: string): Promise<void> {
    const fixed = `listen: "127.0.0.1:${this.port}"\njetstream { store_dir: "${join(this.folder, 'store')}" }\n`;
    await writeFile(this.#config, fixed + config);
  }

  get #config(): string {
    return join(this.folder, 'server.conf');
  }
}

function binary(): string {
  const found = findNatsServer();
  if (found === undefined) throw new Error('nats-server is missing: install it with "apt-get install nats-server"');
  return found;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

function answers(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = dial(port, '127.0.0.1');
    socket.once('connect', () => done(true)).once('error', () => done(false));
    socket.once('connect', () => socket.destroy());
  });
}
