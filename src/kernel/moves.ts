import type { AnyTransitionDefinition, InspectionEvent } from 'xstate';

type Microstep = Extract<InspectionEvent, { type: '@xstate.microstep' }>;

/** What one event made of one actor. */
export interface Move {
  /** By its path, which no restart changes: `node.<node>`, `node.<node>/<key>`, `supervisor/<ask id>` (I3). */
  readonly actor: string;
  readonly event: string;
  /** The transitions that were taken, in order: each as {@link transitionName} says it. */
  readonly taken: readonly string[];
  /** The state it led to, such as `retiring.waiting.place`. */
  readonly to: string;
}

const names = new WeakMap<AnyTransitionDefinition, string>();

/** Collects the moves of a step: changes of state alone, not events that an actor took in where it stood. */
export class Moves {
  #taken: { actor: string; event: object; type: string; taken: string[]; to: string }[] = [];

  note(root: string, { actorRef, event, snapshot, _transitions }: Microstep): void {
    const taken = _transitions.filter(({ target }) => target !== undefined);
    if (taken.length === 0) return;
    const { id } = actorRef as unknown as { id: string };
    const actor = id === root ? root : `${root}/${id}`;
    const to = stateOf((snapshot as unknown as { value: unknown }).value);
    const last = this.#taken.at(-1);
    if (last?.actor === actor && last.event === event) {
      last.to = to;
      last.taken.push(...taken.map(transitionName));
    } else this.#taken.push({ actor, event, type: event.type, taken: taken.map(transitionName), to });
  }

  take(): readonly Move[] {
    const moves = this.#taken.map(({ actor, type, taken, to }) => ({ actor, event: type, taken, to }));
    this.#taken = [];
    return moves;
  }
}

/** A state's value as one name: `{retiring: {waiting: 'place'}}` is `retiring.waiting.place`. */
export function stateOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, inner]) => `${name}.${stateOf(inner)}`)
    .join(' ');
}

/** A transition as the charts name it: its source, its event, and which of the source's transitions on that event it is, from 0. */
function transitionName(transition: AnyTransitionDefinition): string {
  const known = names.get(transition);
  if (known !== undefined) return known;
  const { source, eventType } = transition;
  const beside = eventType === '' ? (source.always ?? []) : (source.transitions.get(eventType) ?? []);
  const name = `${source.path.join('.')} ${eventType === '' ? 'always' : eventType} ${beside.indexOf(transition)}`.trim();
  names.set(transition, name);
  return name;
}
