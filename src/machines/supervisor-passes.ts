import { brakeOf, earliest, nextAskAt } from './ask-queue.ts';
import { SUPERVISOR } from './effects.ts';
import { isPictureWhole, READ_LATE_MS } from './gate.ts';
import { meshDeadlines } from './mesh-brake.ts';
import { supervisorBase } from './supervisor-base.ts';
import type { SupervisorContext } from './supervisor-context.ts';
import { mayAsk } from './supervisor-context.ts';

/** What the supervisor hears of passes, and when it wants to be woken. */
export const passActions = {
  'note that the mesh is judged': supervisorBase.enqueueActions(({ enqueue }) => {
    enqueue.assign({ judged: true });
  }),
  'note whether the node is braked': supervisorBase.enqueueActions(({ context, event, enqueue }) => {
    if (event.type !== 'node braked') return;
    const { [brakeOf(event.node)]: before, ...braked } = context.braked;
    if (event.braked) enqueue.assign({ braked: { ...braked, [brakeOf(event.node)]: 'braked' } });
    else if (before !== undefined) enqueue.assign({ braked: { ...braked, [brakeOf(event.node)]: 'just released' } });
  }),
  'take released nodes as free': supervisorBase.enqueueActions(({ context, enqueue }) => {
    const braked = Object.entries(context.braked).filter(([, brake]) => brake === 'braked');
    enqueue.assign({ wakeAt: undefined, braked: Object.fromEntries(braked) });
  }),
  'ask to be woken': supervisorBase.enqueueActions(({ context, event, enqueue }) => {
    if (!('at' in event)) return;
    const wakeAt = nextDeadline(context, event.at);
    if (wakeAt === context.wakeAt) return;
    enqueue.assign({ wakeAt });
    if (wakeAt !== undefined) enqueue.emit({ type: 'word', to: 'clock', event: { owner: SUPERVISOR, at: wakeAt } });
  }),
};

function nextDeadline(context: SupervisorContext, at: number): number | undefined {
  if (context.mesh.released || Object.values(context.braked).includes('just released')) return at;
  const late = Object.values(context.reads).map(({ since }) => since + READ_LATE_MS);
  const asks = mayAsk(context) ? nextAskAt(context, at) : undefined;
  const brakes = isPictureWhole(context) ? meshDeadlines(context.mesh, context.settings) : [];
  return earliest([...late, ...brakes, ...(asks === undefined ? [] : [asks])], at);
}
