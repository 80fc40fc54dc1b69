import type { Clock } from '../bus/clock.ts';
import { readEntry } from '../bus/contracts/parse.ts';
import { type Bus, type BusEntry, BusError, type WriteResult } from '../bus/port.ts';
import { registry } from '../machines/registry.ts';

const BUCKET = 'mesh-provisioner_registry';
/** What could not be put right is tried again long before the next look. */
const AGAIN_AFTER_MS = 5_000;

export interface RegistryEntriesParts {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly epoch: number;
  readonly everyMs: number;
  /** Asked before each write. */
  readonly mayAct: () => boolean;
  readonly say: (line: string) => void;
}

/**
 * Keeps the registry's bucket as it is compiled in (R1–R3): at start and every `everyMs` each entry that differs is put, and whatever is
 * no kind of placeholder is deleted. What somebody else wrote there is said. One entry that cannot be written costs only itself.
 */
export class RegistryEntries {
  #looks = 0;
  #said: string | undefined;
  #isStopped = false;
  #cancel = () => {};

  constructor(private readonly parts: RegistryEntriesParts) {}

  start(): void {
    void this.#look();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  async #look(): Promise<void> {
    this.#looks += 1;
    const failed = await this.#putRight().catch((error: unknown) => {
      if (!(error instanceof BusError)) throw error;
      return [error.message];
    });
    if (this.#isStopped) return;
    this.#sayOnce(failed);
    const { clock, everyMs } = this.parts;
    this.#cancel = clock.after(failed.length === 0 ? everyMs : Math.min(AGAIN_AFTER_MS, everyMs), () => void this.#look());
  }

  /** What could not be done, a sentence each. */
  async #putRight(): Promise<string[]> {
    const kinds = Object.keys(registry);
    const others = [...(await this.parts.bus.subjects(BUCKET))].filter((key) => !Object.hasOwn(registry, key));
    const failed: string[] = [];
    for (const key of [...kinds, ...others.sort()]) {
      const why = await this.#entry(key);
      if (why !== undefined) failed.push(`${key}: ${why}`);
    }
    return failed;
  }

  async #entry(key: string): Promise<string | undefined> {
    const { bus, epoch, mayAct, say } = this.parts;
    const wanted = Object.hasOwn(registry, key) ? JSON.stringify(registry[key as keyof typeof registry]) : undefined;
    const entry = await bus.get(BUCKET, key);
    if (entry?.text === wanted) return undefined;
    if ((entry?.epoch ?? 0) > epoch) return `it was written by epoch ${entry?.epoch}, this is epoch ${epoch}`;
    if (!mayAct()) return 'the lease was not renewed in time';
    const written = await this.#write(key, wanted, entry?.revision ?? 0);
    if (!written.done) return written.says;
    if (written.duplicate) return 'its write was taken for an earlier one';
    if (entry !== undefined) say(`registry: ${foundAs(key, entry)}`);
    return undefined;
  }

  #write(key: string, text: string | undefined, expected: number): Promise<WriteResult> {
    const { bus, epoch } = this.parts;
    const write = { id: `registry.${epoch}.${this.#looks}.${key}`, epoch, expected };
    return text === undefined ? bus.delete(BUCKET, key, write) : bus.put(BUCKET, key, text, write);
  }

  #sayOnce(failed: readonly string[]): void {
    const line = failed.length === 0 ? undefined : `the registry is not as it should be: ${failed.join('; ')}`;
    if (line !== undefined && line !== this.#said) this.parts.say(line);
    this.#said = line;
  }
}

function foundAs(key: string, { text, revision }: BusEntry): string {
  if (text === undefined) return `${key} had been deleted, put again`;
  if (Object.hasOwn(registry, key)) return `${key} was not as compiled in at revision ${revision}, put right`;
  const parsed = readEntry(BUCKET, key, text);
  const why = !parsed.ok && parsed.because === 'out-of-shape' ? parsed.says : 'no kind of placeholder has that name';
  return `${key} deleted: ${why}`;
}
