import { type Bus, BusError } from '../bus/port.ts';
import { registry } from '../machines/registry.ts';

const BUCKET = 'mesh-provisioner_registry';

/** Puts the registry where it differs from what is compiled in (R1); says how many entries were put. */
export async function writeRegistry(bus: Bus, epoch: number, round: number, mayAct: () => boolean): Promise<number> {
  let put = 0;
  for (const [kind, value] of Object.entries(registry)) {
    const text = JSON.stringify(value);
    const entry = await bus.get(BUCKET, kind);
    if (entry?.text === text) continue;
    if (!mayAct()) return put;
    const result = await bus.put(BUCKET, kind, text, { id: `registry.${epoch}.${round}.${kind}`, epoch, expected: entry?.revision ?? 0 });
    if (!result.done) throw new BusError('failed', `the registry's ${kind} could not be written: ${result.says}`);
    put += 1;
  }
  return put;
}
