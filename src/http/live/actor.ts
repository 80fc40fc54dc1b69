import { stateOf } from '../../kernel/moves.ts';
import type { Roots } from '../../kernel/roots.ts';

/** One actor as it stands: its state as its chart names it, and what it knows. */
export interface ActorSeen {
  readonly path: string;
  readonly machine: 'supervisor' | 'node' | 'key' | 'ask';
  readonly state: string;
  readonly context: unknown;
}

/** An actor by its path, `node.<node>/<key>` or `supervisor/<ask id>`, without waking the one that sleeps; `undefined` where there is none. */
export function actorAt(roots: Roots, path: string): ActorSeen | undefined {
  const [root = '', child] = path.split(/\/(.*)/s);
  const isNode = root.startsWith('node.');
  const seen = child === undefined ? roots.snapshot(root) : roots.child(root, child);
  if (seen === undefined) return undefined;
  const machine = child === undefined ? (isNode ? 'node' : 'supervisor') : isNode ? 'key' : 'ask';
  return { path, machine, state: stateOf(seen.value), context: seen.context };
}
