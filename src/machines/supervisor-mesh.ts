import { nodeRoot } from './effects.ts';
import type { Faults } from './fault-effects.ts';
import { isPictureWhole } from './gate.ts';
import { braked, type Mesh, nodesTaking, scopesIn, withCounts } from './mesh-brake.ts';
import { meshFault, meshFaultKey } from './mesh-words.ts';
import { supervisorBase } from './supervisor-base.ts';
import { say } from './supervisor-context.ts';
import { withFault, withoutFault } from './supervisor-faults.ts';

/** What the supervisor does about the brake over the whole mesh (B4). */
export const meshActions = {
  'take what the node counts': supervisorBase.enqueueActions(({ context, event, enqueue }) => {
    if (event.type !== 'node counted') return;
    enqueue.assign({ mesh: withCounts(context.mesh, event.node, event.counts, event.at, context.settings) });
  }),
  /** Nodes that it is about are judged again where a brake came or went: what it stops shows it, and what it stopped goes on. */
  'brake the mesh, or release it': supervisorBase.enqueueActions(({ context, event, enqueue }) => {
    if (!('at' in event) || !isPictureWhole(context)) return;
    const { at } = event;
    const mesh = braked(context.mesh, at, context.settings);
    enqueue.assign({ mesh });
    if (mesh.brakes === context.mesh.brakes) return;
    say(enqueue, context, meshFaults(context.faults, context.mesh, mesh, at));
    if (scopesIn(mesh).join() === scopesIn(context.mesh).join()) return;
    for (const node of nodesTaking(mesh)) enqueue.emit({ type: 'word', to: 'clock', event: { owner: nodeRoot(node), at } });
  }),
  'take the released mesh as free': supervisorBase.enqueueActions(({ context, enqueue }) => {
    if (context.mesh.released) enqueue.assign({ mesh: { ...context.mesh, released: false } });
  }),
};

/** The fault of each brake that stands; what stood under the same key since then goes on. */
function meshFaults(faults: Faults, before: Mesh, now: Mesh, at: number): Faults {
  // The brake of all comes last: a module that is called `all` has the same key.
  const scopes = [...scopesIn(now)].reverse();
  const standing = new Map(scopes.map((scope) => [meshFaultKey(scope), meshFault(scope, now.brakes[scope]!)] as const));
  let after = withoutFault(
    faults,
    ...scopesIn(before)
      .map(meshFaultKey)
      .filter((key) => !standing.has(key)),
  );
  for (const [key, fault] of standing) after = withFault(after, key, fault, at);
  return after;
}
