import { nodeRoot, type OwedEffect, SUPERVISOR } from '../machines/effects.ts';
import type { Entry } from '../machines/picture.ts';
import type { Kernel } from './kernel.ts';
import type { Named, Piece } from './piece.ts';

/** One piece while its parts are found. */
export class Collected {
  readonly #entries = new Map<string, Map<string, Entry>>();
  readonly #named = { shown: new Map<string, unknown>(), plans: new Map<string, unknown>(), records: new Map<string, unknown>() };
  readonly #owed: OwedEffect[] = [];
  readonly #refused = new Map<string, { readonly says: string; readonly since: number }>();
  #actor: Pick<Piece, 'actor' | 'aside' | 'uses'> = {};

  actor({ roots, picture }: Kernel, root: string): void {
    const [actor, aside] = [roots.kept(root), roots.aside().get(root)];
    const uses = root === SUPERVISOR ? [] : picture.keptUses(root.slice(nodeRoot('').length));
    this.#actor = { ...(actor && { actor }), ...(aside !== undefined && { aside }), ...(uses.length > 0 && { uses }) };
  }

  entry(bucket: string, key: string, entry: Entry): void {
    const entries = this.#entries.get(bucket) ?? new Map<string, Entry>();
    this.#entries.set(bucket, entries.set(key, entry));
  }

  put(part: 'shown' | 'plans' | 'records', key: string, value: unknown): void {
    this.#named[part].set(key, value);
  }

  owe(owed: OwedEffect, refused: { readonly says: string; readonly since: number } | undefined): void {
    this.#owed.push(owed);
    if (refused !== undefined) this.#refused.set(owed.id, { says: refused.says, since: refused.since });
  }

  done(): Piece | undefined {
    const named = Object.entries(this.#named).filter(([, values]) => values.size > 0);
    const piece: Piece = {
      ...this.#actor,
      ...(this.#entries.size > 0 && { entries: Object.fromEntries([...this.#entries].map(([bucket, of]) => [bucket, sorted(of)])) }),
      ...Object.fromEntries(named.map(([part, values]) => [part, sorted(values)])),
      ...(this.#owed.length > 0 && { owed: this.#owed }),
      ...(this.#refused.size > 0 && { refused: sorted(this.#refused) }),
    };
    return Object.keys(piece).length === 0 ? undefined : piece;
  }
}

/** In one order, whatever the order in which it came about. */
export function sorted<T>(entries: ReadonlyMap<string, T>): Named<T> {
  return Object.fromEntries([...entries].sort(([one], [other]) => (one < other ? -1 : 1)));
}
