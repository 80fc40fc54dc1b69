import { inputBuckets } from '../../src/bus/contracts/buckets.ts';
import { type Cast, type Command, milliseconds } from './cast.ts';
import { bucketNamed } from './picture.ts';
import type { Process } from './world.ts';

const of = ({ world }: Cast, name: string | undefined): Process => world.process(name);

/** What may go wrong between a seat and the bus, or with the bus itself. */
export const troubles: Readonly<Record<string, Command>> = {
  /** `hold wants 5`: each watch of it brings so many entries and then nothing. */
  hold: (cast, [bucket = '', entries = '0', process]) => {
    of(cast, process).bus.trouble.hold(bucketNamed(bucket), Number(entries));
    return undefined;
  },
  /** `silence haves`: the watch that stands brings nothing more, as on a half-open link. */
  silence: (cast, [bucket = '', process]) => {
    of(cast, process).bus.trouble.silence(bucketNamed(bucket));
    return undefined;
  },
  release: (cast, buckets) => {
    for (const bucket of buckets) for (const { bus } of cast.world.processes.values()) bus.trouble.release(bucketNamed(bucket));
    return undefined;
  },
  'refuse-read': (cast, [bucket = '', process]) => {
    of(cast, process).bus.trouble.unreadable.add(bucketNamed(bucket));
    return undefined;
  },
  'permit-read': (cast, [bucket = '', process]) => {
    of(cast, process).bus.trouble.unreadable.delete(bucketNamed(bucket));
    return undefined;
  },
  'refuse-write': (cast, [bucket = '', ...says]) => {
    of(cast, undefined).bus.trouble.unwritable.set(bucketNamed(bucket), says.join(' '));
    return undefined;
  },
  'permit-write': (cast, [bucket = '']) => {
    of(cast, undefined).bus.trouble.unwritable.delete(bucketNamed(bucket));
    return undefined;
  },
  disconnect: (cast, [process]) => {
    of(cast, process).bus.disconnect();
    return undefined;
  },
  connect: (cast, [process]) => {
    of(cast, process).bus.reconnect();
    return undefined;
  },
  freeze: (cast, [process]) => {
    of(cast, process).clock.freeze();
    of(cast, process).bus.freeze();
    return undefined;
  },
  wake: (cast, [process]) => {
    of(cast, process).clock.wake();
    of(cast, process).bus.trouble.wake();
    return undefined;
  },
  /** The time of day goes ahead, as in a suspend: nothing falls due by it. */
  jump: (cast, [time = '', process]) => {
    of(cast, process).clock.jump(milliseconds(time));
    return undefined;
  },
  /** The bucket is taken away with all that is in it, and made anew. */
  recreate: async (cast, [bucket = '']) => {
    const name = bucketNamed(bucket);
    await destroy(cast, name);
    await cast.world.ground.bus.createBucket(name, { history: (inputBuckets as readonly string[]).includes(name) ? 5 : 1 });
    return undefined;
  },
  destroy: async (cast, [bucket = '']) => {
    await destroy(cast, bucketNamed(bucket));
    return undefined;
  },
  /** The journal is lost, and with it the snapshots that were made of it. */
  'lose-journal': async (cast) => {
    await cast.world.ground.destroyStream('LOG_mesh-provisioner_journal');
    await destroy(cast, bucketNamed('snapshots'));
    return undefined;
  },
};

async function destroy({ world }: Cast, bucket: string): Promise<void> {
  world.ledger.forget(bucket);
  await world.ground.destroyBucket(bucket);
}
