import { EmbeddedBus } from '../../src/bus/embedded/embedded-bus.ts';

/** Writes for ever and says each write that was acknowledged: `<key> <revision>` a line. */
const bus = await EmbeddedBus.open(process.argv[2]!);
await bus.createBucket('b', { history: 1 });
for (let n = 0; ; n += 1) {
  const result = await bus.put('b', `k.${n}`, '1', { id: `1.${n}`, epoch: 1 });
  if (result.done) process.stdout.write(`k.${n} ${result.revision}\n`);
}
