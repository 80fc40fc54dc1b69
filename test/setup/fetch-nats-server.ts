import { fetchNatsServer, findNatsServer } from './nats-server.ts';

if (findNatsServer() === undefined) {
  try {
    fetchNatsServer();
  } catch {
    console.error('The tests need nats-server, which is not here: install it (Debian: apt-get install nats-server) and run them again.');
    process.exit(1);
  }
}
