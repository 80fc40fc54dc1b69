import { type Actor, type AnyActorLogic, createActor, type EventObject, type InputFrom, type InspectionEvent } from 'xstate';
import type { EffectEmitted, Word } from '../machines/effects.ts';

type Emitted = EffectEmitted | Word<{ readonly type?: string }>;

/** What the actors said while one event was worked off. */
export interface Said {
  readonly from: string;
  readonly emitted: Emitted;
}

/**
 * Root actors by name, and the one ear for all that leaves them. A word of a child counts as its root's. A root that throws is set aside
 * with what it threw; it takes no other along.
 */
export class Roots {
  readonly #actors = new Map<string, Actor<AnyActorLogic>>();
  readonly #aside = new Map<string, string>();
  #said: Said[] = [];

  open<L extends AnyActorLogic>(name: string, logic: L, input: InputFrom<L>): Actor<L> {
    const actor = createActor(logic as AnyActorLogic, { id: name, input, inspect: (event: InspectionEvent) => this.#hear(name, event) });
    actor.subscribe({ error: (error) => this.#aside.set(name, error instanceof Error ? error.message : String(error)) });
    actor.start();
    this.#actors.set(name, actor);
    return actor as unknown as Actor<L>;
  }

  has(name: string): boolean {
    return this.#actors.has(name);
  }

  /** Sends one event and returns what was said, in order. */
  send(name: string, event: EventObject): readonly Said[] {
    this.#said = [];
    if (!this.#aside.has(name)) this.#actors.get(name)?.send(event as never);
    return this.#said;
  }

  snapshot(name: string): ReturnType<Actor<AnyActorLogic>['getSnapshot']> | undefined {
    return this.#actors.get(name)?.getSnapshot();
  }

  names(): readonly string[] {
    return [...this.#actors.keys()].sort();
  }

  /** Roots that threw, with what they threw. */
  aside(): ReadonlyMap<string, string> {
    return this.#aside;
  }

  #hear(from: string, event: InspectionEvent): void {
    if (event.type !== '@xstate.actor') return;
    (event.actorRef as Actor<AnyActorLogic>).on('*', (emitted) => {
      this.#said.push({ from, emitted: emitted as unknown as Emitted });
    });
  }
}
