import { type Actor, type AnyActorLogic, createActor, type EventObject, type InputFrom, type InspectionEvent, type Snapshot } from 'xstate';
import type { EffectEmitted, Word } from '../machines/effects.ts';
import { type KeptActor, whole } from './kept-actor.ts';
import { Moves } from './moves.ts';

type Emitted = EffectEmitted | Word<{ readonly type?: string }>;

/** What the actors said while one event was worked off. */
export interface Said {
  readonly from: string;
  readonly emitted: Emitted;
}

/** What a root threw as it was set aside, and when. */
export interface Aside {
  readonly says: string;
  readonly since: number;
}

interface Asleep {
  readonly logic: AnyActorLogic;
  readonly kept: KeptActor;
}

/**
 * Root actors by name, and the one ear for all that leaves them. A word of a child counts as its root's. A root that throws is set aside
 * with what it threw; it takes no other along. One that comes from a snapshot sleeps until something is sent to it.
 */
export class Roots {
  readonly #actors = new Map<string, Actor<AnyActorLogic>>();
  readonly #asleep = new Map<string, Asleep>();
  readonly #aside = new Map<string, Aside>();
  #at = 0;
  /** Since they were last taken. */
  readonly moves = new Moves();
  #said: Said[] = [];

  open<L extends AnyActorLogic>(name: string, logic: L, input: InputFrom<L>): void {
    this.#start(
      name,
      createActor(logic as AnyActorLogic, { id: name, input, inspect: (event: InspectionEvent) => this.#hear(name, event) }),
    );
  }

  /** Takes a root as a snapshot kept it; one that was set aside, with what it threw, is never woken. */
  sleep(name: string, logic: AnyActorLogic, kept: KeptActor, aside?: Aside): void {
    this.#actors.get(name)?.stop();
    this.#actors.delete(name);
    this.#asleep.set(name, { logic, kept });
    if (aside !== undefined) this.#aside.set(name, aside);
  }

  has(name: string): boolean {
    return this.#actors.has(name) || this.#asleep.has(name);
  }

  /** Sends one event and returns what was said, in order. */
  send(name: string, event: EventObject & { readonly at: number }): readonly Said[] {
    this.#said = [];
    this.#at = event.at;
    if (!this.#aside.has(name)) this.#awake(name)?.send(event as never);
    return this.#said;
  }

  /** How a root stands; one that sleeps is not woken for it. */
  snapshot(name: string): { readonly value?: unknown; readonly context?: unknown } | undefined {
    return this.#asleep.get(name)?.kept ?? this.#actors.get(name)?.getSnapshot();
  }

  /** How a child of a root stands, asleep or not. */
  child(name: string, id: string): { readonly value?: unknown; readonly context?: unknown } | undefined {
    const asleep = this.#asleep.get(name);
    if (asleep !== undefined) return asleep.kept.children[id]?.snapshot;
    return this.#actors.get(name)?.getSnapshot().children[id]?.getSnapshot();
  }

  /** A root with its children, as a snapshot keeps them. */
  kept(name: string): KeptActor | undefined {
    return this.#asleep.get(name)?.kept ?? (this.#actors.get(name)?.getPersistedSnapshot() as KeptActor | undefined);
  }

  names(): readonly string[] {
    return [...this.#actors.keys(), ...this.#asleep.keys()].sort();
  }

  /** Roots that nothing was sent to since they came from a snapshot. */
  asleep(): readonly string[] {
    return [...this.#asleep.keys()].sort();
  }

  /** Roots that threw, with what they threw. */
  aside(): ReadonlyMap<string, Aside> {
    return this.#aside;
  }

  #awake(name: string): Actor<AnyActorLogic> | undefined {
    const asleep = this.#asleep.get(name);
    if (asleep === undefined) return this.#actors.get(name);
    this.#asleep.delete(name);
    const snapshot = whole(asleep.logic, asleep.kept) as unknown as Snapshot<unknown>;
    return this.#start(
      name,
      createActor(asleep.logic, { id: name, snapshot, inspect: (event: InspectionEvent) => this.#hear(name, event) }),
    );
  }

  #start(name: string, actor: Actor<AnyActorLogic>): Actor<AnyActorLogic> {
    actor.subscribe({
      error: (error) => this.#aside.set(name, { says: error instanceof Error ? error.message : String(error), since: this.#at }),
    });
    actor.start();
    this.#actors.set(name, actor);
    return actor;
  }

  #hear(from: string, event: InspectionEvent): void {
    if (event.type === '@xstate.microstep') this.moves.note(from, event);
    if (event.type !== '@xstate.actor') return;
    (event.actorRef as Actor<AnyActorLogic>).on('*', (emitted) => {
      this.#said.push({ from, emitted: emitted as unknown as Emitted });
    });
  }
}
