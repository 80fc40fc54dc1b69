import { once } from 'node:events';
import { NatsServer } from '../bus/nats-server.ts';
import { until } from '../bus/until.ts';
import { start } from '../cli/process.ts';

/** A real `serve` on a real server, and how to end both. */
export async function serving(...flags: readonly string[]) {
  const server = await NatsServer.start();
  const { child, said, ended } = start(['serve', '--bus', server.url, '--http', '127.0.0.1:0', ...flags]);
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await server.remove();
  };
  try {
    await until(() => said.said.includes('on the bus') || child.exitCode !== null, 'serve to start');
    return { server, child, said, ended, end };
  } catch (error) {
    await end();
    throw error;
  }
}
