import { setImmediate, setTimeout } from 'node:timers/promises';
import { connect } from '../../src/bus/nats/connect.ts';
import { embeddedBus, natsBus } from '../bus/buses.ts';
import type { StoryGround } from './world.ts';

export async function embeddedGround(): Promise<StoryGround> {
  const under = await embeddedBus();
  return {
    ...under,
    // As on a server, a watch is told nothing.
    destroyBucket: (bucket) => under.destroyStream(`KV_${bucket}`),
    connect: async () => under.bus,
    breathe: () => setImmediate(),
  };
}

export async function natsGround(): Promise<StoryGround> {
  const under = await natsBus();
  const connections = new Set<Awaited<ReturnType<typeof connect>>>();
  return {
    ...under,
    connect: async () => {
      const bus = await connect(under.server.url, { name: 'a seat of the story' });
      connections.add(bus);
      return bus;
    },
    breathe: () => setTimeout(1),
    end: async () => {
      for (const bus of connections) await bus.close();
      await under.end();
    },
  };
}
