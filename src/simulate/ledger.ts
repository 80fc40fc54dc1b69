import type { Write } from '../bus/port.ts';

/** What leaves a process for the bus: a write, or a request. */
export interface Sent {
  readonly bucket?: string;
  readonly key?: string;
  readonly text?: string;
  readonly write?: Pick<Write, 'id' | 'epoch' | 'expected'>;
  readonly subject?: string;
}

/** A write as the bus took it. */
export interface Applied {
  /** Milliseconds since the run began. */
  readonly at: number;
  /** The process that wrote. */
  readonly by: string;
  readonly bucket: string;
  readonly key: string;
  readonly epoch: number;
  readonly before: unknown;
  readonly after: unknown;
  /** The store lost it, or has it back: nobody meant anything by it. */
  readonly isAccident?: boolean;
}

/** What every bucket of the bus holds, and everybody who wants to hear of a write. */
export class Ledger {
  readonly #buckets = new Map<string, Map<string, unknown>>();
  readonly #hear: ((applied: Applied) => void)[] = [];

  onApplied(hear: (applied: Applied) => void): void {
    this.#hear.push(hear);
  }

  value(bucket: string, key: string): unknown {
    return this.#buckets.get(bucket)?.get(key);
  }

  entries(bucket: string): ReadonlyMap<string, unknown> {
    return this.#buckets.get(bucket) ?? new Map();
  }

  apply(write: Omit<Applied, 'before'>): void {
    const entries = this.#buckets.get(write.bucket) ?? new Map<string, unknown>();
    this.#buckets.set(write.bucket, entries);
    const before = entries.get(write.key);
    if (write.after === undefined) entries.delete(write.key);
    else entries.set(write.key, write.after);
    for (const hear of this.#hear) hear({ ...write, before });
  }
}
