import { setImmediate } from 'node:timers/promises';
import type { StreamRecord } from '../../bus/port.ts';
import { Kernel, type KernelSettings, type Step } from '../../kernel/kernel.ts';
import type { JournalRecord } from '../../machines/facts.ts';

/** The seat's own work gets its turn after so long. */
const SLICE_MS = 4;

/** The journal, as far as the past reads it. */
export type ReadRecords = (fromSequence: number) => AsyncIterable<StreamRecord>;

/** A kernel that was never the seat's: the journal folded to some moment, offline. Nothing of it is sent anywhere. */
export class Fold {
  readonly kernel: Kernel;
  #sequence = 0;
  #at = 0;

  constructor(
    settings: KernelSettings,
    private readonly read: ReadRecords,
  ) {
    this.kernel = new Kernel(settings);
  }

  /** The time of the last record that is folded. */
  get at(): number {
    return this.#at;
  }

  /** Folds every record up to a time, in milliseconds since 1970; tells what each came to. */
  async until(at: number, hear: (seq: number, record: JournalRecord, step: Step) => void = () => {}): Promise<void> {
    let sliceEnds = performance.now() + SLICE_MS;
    for await (const { sequence, text } of this.read(this.#sequence + 1)) {
      const record = JSON.parse(text) as JournalRecord;
      if (record.at > at) return;
      hear(sequence, record, this.kernel.step(sequence, record));
      this.#sequence = sequence;
      this.#at = record.at;
      if (performance.now() < sliceEnds) continue;
      await setImmediate();
      sliceEnds = performance.now() + SLICE_MS;
    }
  }
}
