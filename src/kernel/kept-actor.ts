import { type AnyActorLogic, createActor } from 'xstate';

/** An actor as a snapshot keeps it: XState's persisted snapshot after a trip through JSON. */
export interface KeptActor {
  readonly status: string;
  readonly value: unknown;
  readonly context: Readonly<Record<string, unknown>>;
  readonly children: Readonly<Record<string, { readonly src: string; readonly snapshot: KeptActor }>>;
}

/** A state machine, as far as its states and its children's logics go. */
interface Machine {
  readonly root: StateNode;
  readonly implementations: { readonly actors: Readonly<Record<string, unknown>> };
}

interface StateNode {
  readonly states: Readonly<Record<string, StateNode>>;
}

const contexts = new WeakMap<object, Readonly<Record<string, unknown>>>();

/**
 * Why an actor's snapshot does not fit its machine; `undefined` where it does. Restored unchecked, a child in an unknown state is a silent
 * error and one of an unknown source vanishes.
 */
export function misfit(logic: AnyActorLogic, kept: KeptActor): string | undefined {
  const machine = logic as unknown as Machine;
  if (kept?.status !== 'active') return `its status is ${JSON.stringify(kept?.status)}`;
  if (!isStateOf(machine.root, kept.value)) return `it has no state ${JSON.stringify(kept.value)}`;
  const missing = Object.entries(contextOf(logic)).find(([field, value]) => value !== undefined && kept.context?.[field] === undefined);
  if (missing !== undefined) return `its context has no ${missing[0]}`;
  for (const [id, { src, snapshot }] of Object.entries(kept.children ?? {})) {
    const child = machine.implementations.actors[src];
    const wrong = child === undefined ? `nothing is called ${src}` : misfit(child as AnyActorLogic, snapshot);
    if (wrong !== undefined) return `${id}: ${wrong}`;
  }
  return undefined;
}

/** The snapshot as its actor had it: fields that JSON leaves out for being undefined stand in their places again. */
export function whole(logic: AnyActorLogic, kept: KeptActor): KeptActor {
  const { actors } = (logic as unknown as Machine).implementations;
  const children = Object.entries(kept.children).map(([id, child]) => {
    return [id, { ...child, snapshot: whole(actors[child.src] as AnyActorLogic, child.snapshot) }];
  });
  return { ...kept, context: { ...contextOf(logic), ...kept.context }, children: Object.fromEntries(children) };
}

/** The context that the machine starts with. */
function contextOf(logic: AnyActorLogic): Readonly<Record<string, unknown>> {
  const known = contexts.get(logic);
  if (known !== undefined) return known;
  const { context } = createActor(logic).getSnapshot() as unknown as KeptActor;
  contexts.set(logic, context);
  return context;
}

function isStateOf({ states }: StateNode, value: unknown): boolean {
  const names = Object.keys(states);
  if (typeof value === 'string') return states[value] !== undefined && Object.keys(states[value].states).length === 0;
  if (typeof value !== 'object' || value === null) return names.length === 0 && value === undefined;
  const inner = Object.entries(value);
  return inner.length > 0 && inner.every(([name, below]) => states[name] !== undefined && isStateOf(states[name], below));
}
