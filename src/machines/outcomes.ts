interface BoundRead {
  created?: string;
  loaded: boolean;
  /** Went missing while the read was not loaded: only its next load says whether that proves anything. */
  readonly vanished: Set<string>;
  readonly unproven: Set<string>;
}

/** The same as JSON, by bucket. */
export type KeptOutcomes = Readonly<
  Record<
    string,
    { readonly created?: string; readonly loaded: boolean; readonly vanished: readonly string[]; readonly unproven: readonly string[] }
  >
>;

/** What is known of the providers' outcomes beside their entries: which are loaded, and which absences prove nothing (K7). */
export class OutcomeReads {
  readonly #reads = new Map<string, BoundRead>();

  appeared(bucket: string, key: string): void {
    const read = this.#reads.get(bucket);
    read?.vanished.delete(key);
    read?.unproven.delete(key);
  }

  /** An outcome is not there: deleted live it is proved gone, missing from an image it is once the load shows the same stream. */
  vanished(bucket: string, key: string, wasThere: boolean): void {
    const read = this.#read(bucket);
    if (read.loaded) read.unproven.delete(key);
    else if (wasThere) read.vanished.add(key);
  }

  loaded(bucket: string, created: string): void {
    const read = this.#read(bucket);
    if (read.created !== undefined && read.created !== created) for (const key of read.vanished) read.unproven.add(key);
    read.vanished.clear();
    read.created = created;
    read.loaded = true;
  }

  missing(bucket: string): void {
    this.#read(bucket).loaded = false;
  }

  isLoaded(bucket: string): boolean {
    return this.#reads.get(bucket)?.loaded ?? false;
  }

  /** Whether an outcome that is not there is proved gone: not where its stream was recreated without it. */
  isProven(bucket: string, key: string): boolean {
    return this.isLoaded(bucket) && !this.#reads.get(bucket)?.unproven.has(key);
  }

  /** Everything of it, for a snapshot to keep. */
  kept(): KeptOutcomes {
    return Object.fromEntries(
      [...this.#reads]
        .sort()
        .map(([bucket, { vanished, unproven, ...read }]) => [
          bucket,
          { ...read, vanished: [...vanished].sort(), unproven: [...unproven].sort() },
        ]),
    );
  }

  /** Takes what a snapshot kept. */
  resume(kept: KeptOutcomes): void {
    for (const [bucket, { vanished, unproven, ...read }] of Object.entries(kept))
      this.#reads.set(bucket, { ...read, vanished: new Set(vanished), unproven: new Set(unproven) });
  }

  #read(bucket: string): BoundRead {
    const read = this.#reads.get(bucket) ?? { loaded: false, vanished: new Set(), unproven: new Set() };
    this.#reads.set(bucket, read);
    return read;
  }
}
