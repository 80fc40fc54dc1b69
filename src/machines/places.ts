import type { Place } from '../bus/contracts/common.ts';
import { keyOf } from '../bus/contracts/tokens.ts';

/** The builds of a module that count on a node (C2). */
export interface Builds {
  readonly wanted?: string;
  readonly running?: string;
  /** Only where the module is placed or wanted. */
  readonly newest?: string;
}

/** Every module considered on a node (C1), found by its key, its node, its module and each build that counts there. */
export class Places {
  readonly #places = new Map<string, Place>();
  readonly #builds = new Map<string, Builds>();
  readonly #onNode = new Map<string, Set<string>>();
  readonly #ofModule = new Map<string, Set<string>>();
  readonly #atBuild = new Map<string, Set<string>>();
  readonly #goneAt = new Map<string, number>();

  set(key: string, place: Place, builds: Builds): void {
    this.#places.set(key, place);
    this.#goneAt.delete(key);
    add(this.#onNode, place.node, key);
    add(this.#ofModule, place.module, key);
    this.#count(key, place, builds);
  }

  delete(key: string, at: number): void {
    const place = this.#places.get(key);
    if (place === undefined) return;
    this.#count(key, place, {});
    this.#places.delete(key);
    this.#builds.delete(key);
    this.#goneAt.set(key, at);
    remove(this.#onNode, place.node, key);
    remove(this.#ofModule, place.module, key);
  }

  has(key: string): boolean {
    return this.#places.has(key);
  }

  builds(key: string): Builds {
    return this.#builds.get(key) ?? {};
  }

  goneAt(key: string): number | undefined {
    return this.#goneAt.get(key);
  }

  /** Every place that is gone, and since when. */
  gone(): ReadonlyMap<string, number> {
    return this.#goneAt;
  }

  /** Takes what a snapshot kept of a place that is not there. */
  wasGone(key: string, at: number): void {
    this.#goneAt.set(key, at);
  }

  nodes(): Iterable<string> {
    return this.#onNode.keys();
  }

  onNode(node: string): (readonly [key: string, place: Place])[] {
    return this.#named(this.#onNode.get(node));
  }

  ofModule(module: string): (readonly [key: string, place: Place])[] {
    return this.#named(this.#ofModule.get(module));
  }

  /** The places where a composition's build counts, by the composition's key. */
  atBuild(composition: string): (readonly [key: string, place: Place])[] {
    return this.#named(this.#atBuild.get(composition));
  }

  #count(key: string, { module }: Place, builds: Builds): void {
    for (const build of Object.values(this.builds(key))) remove(this.#atBuild, keyOf(module, build), key);
    for (const build of Object.values(builds)) add(this.#atBuild, keyOf(module, build), key);
    this.#builds.set(key, builds);
  }

  #named(keys: ReadonlySet<string> | undefined): (readonly [string, Place])[] {
    return Array.from(keys ?? [], (key) => [key, this.#places.get(key)!] as const);
  }
}

function add(index: Map<string, Set<string>>, name: string, key: string): void {
  const keys = index.get(name);
  if (keys === undefined) index.set(name, new Set([key]));
  else keys.add(key);
}

function remove(index: Map<string, Set<string>>, name: string, key: string): void {
  const keys = index.get(name);
  keys?.delete(key);
  if (keys?.size === 0) index.delete(name);
}
