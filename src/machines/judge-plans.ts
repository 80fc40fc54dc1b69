import type { Plan } from '../bus/contracts/plans.ts';
import type { NodeContext, PassEvent } from './node-events.ts';

export type PlanChange = { readonly key: string; readonly plan?: Plan };

interface PlansJudged {
  readonly changes: readonly PlanChange[];
  readonly stand: NodeContext['plans'];
  /** Plans without keys that nothing wants, dwelling (C8, B7). */
  readonly unneeded: NodeContext['unneeded'];
}

/** Which plans are written and which go (C7, C8). An absent `plan` in a change deletes it. */
export function judgePlans(context: NodeContext, pass: PassEvent): PlansJudged {
  const changes: PlanChange[] = [];
  const stand: Record<string, Plan> = { ...context.plans };
  const unneeded: Record<string, { since: number; passes: number }> = {};
  for (const [key, verdict] of Object.entries(pass.composed.plans)) {
    const before = context.plans[key];
    const plan = verdict.do === 'put' ? verdict.plan : before === undefined ? undefined : { ...before, held: verdict.held };
    if (plan === undefined || (before !== undefined && text(before) === text(plan))) continue;
    stand[key] = plan;
    changes.push({ key, plan });
  }
  for (const key of Object.keys(context.plans).sort()) {
    if (pass.composed.plans[key] !== undefined || pass.composed.consumers[key] !== undefined || context.brake !== undefined) continue;
    const keys = Object.entries(context.keys).filter(([other]) => other.startsWith(`${key}.`));
    const memory = { since: context.unneeded[key]?.since ?? pass.at, passes: (context.unneeded[key]?.passes ?? 0) + 1 };
    const goes =
      keys.length > 0
        ? keys.every(([, standing]) => standing.state === 'retiring' && (standing.detail === 'warranted' || standing.detail === 'failed'))
        : pass.at - memory.since >= context.settings.dwellMs && memory.passes >= 2;
    if (goes) {
      delete stand[key];
      changes.push({ key });
    } else if (keys.length === 0) unneeded[key] = memory;
  }
  return { changes, stand, unneeded };
}

function text(plan: Plan): string {
  return JSON.stringify({ ...plan, evidence: [] });
}
