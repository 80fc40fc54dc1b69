import type { Place } from '../bus/contracts/common.ts';
import { keyOf } from '../bus/contracts/tokens.ts';

/** What a node's keys were composed from that is not its own (C9). */
export interface Use {
  readonly providers: Iterable<Place>;
  /** Provisions for which a provider is still sought. */
  readonly provisions: Iterable<string>;
  readonly seats: Iterable<string>;
  /** Keys whose outcome fills a `with`. */
  readonly outcomes: Iterable<string>;
}

type Used = 'provider' | 'provider-module' | 'provision' | 'seat' | 'outcome';

/** Which nodes use what: kept both ways, so that a fact finds its nodes and a pass replaces what its node used. */
export class Uses {
  readonly #ofNode = new Map<string, ReadonlySet<string>>();
  readonly #nodesOf = new Map<string, Set<string>>();

  note(node: string, use: Use): void {
    this.resume(node, named(use));
  }

  /** What a node used, as a snapshot keeps it. */
  kept(node: string): readonly string[] {
    return [...(this.#ofNode.get(node) ?? [])].sort();
  }

  /** Takes what a node used, as a pass named it or a snapshot kept it. */
  resume(node: string, things: Iterable<string>): void {
    const now = new Set(things);
    for (const thing of this.#ofNode.get(node) ?? []) {
      if (!now.has(thing)) this.#forget(thing, node);
    }
    for (const thing of now) {
      const nodes = this.#nodesOf.get(thing);
      if (nodes === undefined) this.#nodesOf.set(thing, new Set([node]));
      else nodes.add(node);
    }
    if (now.size === 0) this.#ofNode.delete(node);
    else this.#ofNode.set(node, now);
  }

  nodesOf(used: Used, name: string): Iterable<string> {
    return this.#nodesOf.get(thing(used, name)) ?? [];
  }

  #forget(thing: string, node: string): void {
    const nodes = this.#nodesOf.get(thing);
    nodes?.delete(node);
    if (nodes?.size === 0) this.#nodesOf.delete(thing);
  }
}

function named(use: Use): Set<string> {
  const things = new Set<string>();
  for (const { node, module } of use.providers) things.add(thing('provider', keyOf(node, module))).add(thing('provider-module', module));
  for (const provision of use.provisions) things.add(thing('provision', provision));
  for (const seat of use.seats) things.add(thing('seat', seat));
  for (const key of use.outcomes) things.add(thing('outcome', key));
  return things;
}

function thing(used: Used, name: string): string {
  return `${used} ${name}`;
}
