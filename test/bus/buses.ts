import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/bus/clock.ts';
import { EmbeddedBus } from '../../src/bus/embedded/embedded-bus.ts';
import { connect } from '../../src/bus/nats/connect.ts';
import type { Bus } from '../../src/bus/port.ts';
import { NatsServer } from './nats-server.ts';

/** A bus with what an administrator may do to it. */
export interface BusUnderTest {
  readonly bus: Bus;
  destroyBucket(bucket: string): Promise<void>;
  destroyStream(stream: string): Promise<void>;
  end(): Promise<void>;
}

export async function embeddedBus(): Promise<BusUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'bus-'));
  const bus = await EmbeddedBus.open(folder);
  return {
    bus,
    destroyBucket: (bucket) => bus.destroyBucket(bucket),
    destroyStream: (stream) => bus.destroyStream(stream),
    end: async () => {
      await bus.close();
      await rm(folder, { recursive: true });
    },
  };
}

export async function memoryBus(): Promise<BusUnderTest> {
  const bus = EmbeddedBus.inMemory(systemClock);
  return {
    bus,
    destroyBucket: (bucket) => bus.destroyBucket(bucket),
    destroyStream: (stream) => bus.destroyStream(stream),
    end: () => bus.close(),
  };
}

export async function natsBus(): Promise<BusUnderTest & { readonly server: NatsServer }> {
  const server = await NatsServer.start();
  const bus = await connect(server.url, { name: 'test' });
  const destroyStream = async (stream: string) => void (await server.administer((manager) => manager.streams.delete(stream)));
  return {
    server,
    bus,
    destroyBucket: (bucket) => destroyStream(`KV_${bucket}`),
    destroyStream,
    end: async () => {
      await bus.close();
      await server.remove();
    },
  };
}

export const adapters = [
  { name: 'embedded', make: embeddedBus },
  { name: 'nats', make: natsBus },
] as const;
