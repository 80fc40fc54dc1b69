import type { IndexedModule } from '../bus/contracts/modules.ts';
import { keyOf, namesOf } from '../bus/contracts/tokens.ts';
import { type Bus, BusError } from '../bus/port.ts';
import type { EntryFact, Fact } from '../machines/facts.ts';
import { bucketOf } from '../machines/picture.ts';
import { entryFact } from './entry-fact.ts';

/** Reads live what a key's absence rests on (A5); one read that fails proves nothing. */
export async function prove(bus: Bus, effect: string, key: string, knownBuilds: readonly string[]): Promise<Fact> {
  try {
    return { type: 'proved', effect, entries: await entriesBehind(bus, key, knownBuilds) };
  } catch (error) {
    if (!(error instanceof BusError)) throw error;
    return { type: 'refused', effect, code: 503, says: `what ${key} rests on could not be read: ${error.message}` };
  }
}

async function entriesBehind(bus: Bus, key: string, knownBuilds: readonly string[]): Promise<EntryFact[]> {
  const [node = '', module = ''] = namesOf(key) ?? [];
  const place = keyOf(node, module);
  const read = async (bucket: string, entry: string): Promise<EntryFact> => {
    const fact = entryFact(bucket, entry, (await bus.get(bucket, entry)) ?? { revision: 0, text: undefined });
    if (fact.type === 'out-of-shape') throw new RangeError(`${entry} of ${bucket} is out of shape: ${fact.says}`);
    return fact;
  };
  const [placement, want, have, indexed] = await Promise.all([
    read(bucketOf.placement, place),
    read(bucketOf.want, place),
    read(bucketOf.have, place),
    read(bucketOf.indexed, keyOf(module)),
  ]);
  const named = [buildOf(want), buildOf(have), (indexed.value as IndexedModule | undefined)?.newest];
  const builds = [...new Set([...named.filter((build) => build !== undefined), ...knownBuilds])].sort();
  const compositions = await Promise.all(builds.map((build) => read(bucketOf.composition, keyOf(module, build))));
  return [placement, want, have, indexed, ...compositions];
}

function buildOf({ value }: EntryFact): string | undefined {
  return (value as { readonly build: string } | undefined)?.build;
}
