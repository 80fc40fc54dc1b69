import { namesOf } from '../bus/contracts/tokens.ts';
import type { Brake } from './brake.ts';
import type { Scope } from './mesh-counts.ts';
import type { Unsaid } from './supervisor-faults.ts';

const KIND = 'mesh-brake';
const MODULE = 'module.';
const SAID_MAX = 12;

/** The fault's key on the bus: `mesh-brake.all`, or `mesh-brake.<module>`. */
export function meshFaultKey(scope: Scope): string {
  return `${KIND}.${scope === 'all' ? scope : scope.slice(MODULE.length)}`;
}

/** One brake of the mesh as a fault (H1). */
export function meshFault(scope: Scope, { consumers }: Brake): Unsaid {
  const nodes = new Set(consumers.map((consumer) => consumer.split('.', 1)[0])).size;
  const on = nodes === 1 ? 'one node' : `${nodes} nodes`;
  const [module] = scope === 'all' ? [] : (namesOf(scope.slice(MODULE.length)) ?? []);
  const what = module === undefined ? `${consumers.length} consumers on ${on}` : `${module} on ${on}`;
  const stops = module === undefined ? 'Nothing of any node retires' : `Nothing of ${module} retires anywhere`;
  return {
    kind: KIND,
    ...(module === undefined ? {} : { module }),
    consumers: [...consumers],
    says: `${what} would retire, with what went within the window too much of the mesh at once: ${some(consumers)}. ${stops}`,
    cause:
      module === undefined
        ? 'whatever says what belongs in the mesh (its placement, its wants, the indexer) has probably lost part of it'
        : `a new build of ${module}, or what was published of it, has probably dropped what it needs, or ${module} was taken out everywhere`,
    clears: `they are needed again, or the operator gives the word: compose --fault ${meshFaultKey(scope)} --retire-many`,
  };
}

/** The fault lists every one of them beside its words. */
function some(consumers: readonly string[]): string {
  const more = consumers.length - SAID_MAX;
  return more > 0 ? `${consumers.slice(0, SAID_MAX).join(', ')} and ${more} more` : consumers.join(', ');
}
