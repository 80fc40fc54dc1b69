import type { KernelSettings } from '../../kernel/kernel.ts';
import { LivePicture } from '../live/picture.ts';
import { Fold, type ReadRecords } from './fold.ts';
import { type Mark, marksOf } from './marks.ts';

/** The journal as a line of time. */
export interface Timeline {
  readonly from: number;
  readonly to: number;
  readonly marks: readonly Mark[];
}

/** The mesh as it was, made of the journal by the same kernel that made the present. One question at a time. */
export class Past {
  #spot: Fold | undefined;
  #tail: Fold | undefined;
  #from: number | undefined;
  readonly #marks: Mark[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly settings: KernelSettings,
    private readonly bus: string,
    private readonly read: ReadRecords,
  ) {}

  /** Every mark of the journal, up to its end. */
  timeline(): Promise<Timeline> {
    return this.#inTurn(async () => {
      this.#tail ??= new Fold(this.settings, this.read);
      await this.#tail.until(Number.POSITIVE_INFINITY, (seq, record, step) => {
        this.#from ??= record.at;
        this.#marks.push(...marksOf(seq, record, step));
      });
      return { from: this.#from ?? 0, to: this.#tail.at, marks: this.#marks };
    });
  }

  /** What somebody wants to see of the mesh as it was at a time, in milliseconds since 1970. */
  at<T>(at: number, look: (picture: LivePicture, fold: Fold) => T): Promise<T> {
    return this.#inTurn(async () => {
      if (this.#spot === undefined || this.#spot.at > at) this.#spot = new Fold(this.settings, this.read);
      await this.#spot.until(at);
      return look(new LivePicture(this.#spot.kernel, this.bus), this.#spot);
    });
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const answer = this.#last.then(act);
    this.#last = answer.catch(() => undefined);
    return answer;
  }
}
