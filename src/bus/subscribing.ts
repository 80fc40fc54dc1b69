import type { Clock } from './clock.ts';

const RETRY_FIRST_MS = 250;
const RETRY_MAX_MS = 5_000;
/** What stood so long is subscribed again at once when it is lost: before that, losses that follow each other count as refusals. */
const STOOD_MS = 30_000;

export interface SubscribingParts {
  readonly clock: Clock;
  /** Tells when what is subscribed to serves and when it does not; returns how to stop listening. */
  onServing(listener: (serves: boolean) => void): () => void;
  /** Subscribes anew; whoever is told this calls `stood` or `ended`. */
  subscribe(): void;
  /** What is subscribed to serves no more. */
  lost(): void;
}

/**
 * When a loop subscribes to what it wants to hear (L1): as soon as that serves, and it sleeps only after a refusal, longer each time up to
 * 5 s. It never sleeps before the first try: what happened in such a sleep would be heard by nobody.
 */
export class Subscribing {
  #stoodAt: number | undefined;
  #retryMs = RETRY_FIRST_MS;
  #isDue = false;
  #serves = true;
  #cancelSleep = () => {};
  #stopListening = () => {};

  constructor(private readonly parts: SubscribingParts) {}

  start(): void {
    this.#stopListening = this.parts.onServing((serves) => {
      this.#serves = serves;
      if (serves) this.#subscribeIfDue();
      else this.parts.lost();
    });
    this.parts.subscribe();
  }

  /** The subscription stands: what comes is heard. */
  stood(): void {
    this.#stoodAt = this.parts.clock.now();
  }

  /** It was refused, or it is lost; says whether it had stood. */
  ended(): boolean {
    const { clock } = this.parts;
    const stoodMs = this.#stoodAt === undefined ? undefined : clock.now() - this.#stoodAt;
    this.#stoodAt = undefined;
    const isRefusal = stoodMs === undefined || stoodMs < STOOD_MS;
    this.#cancelSleep = clock.after(isRefusal ? this.#retryMs : 0, () => {
      this.#isDue = true;
      this.#subscribeIfDue();
    });
    this.#retryMs = isRefusal ? Math.min(2 * this.#retryMs, RETRY_MAX_MS) : RETRY_FIRST_MS;
    return stoodMs !== undefined;
  }

  stop(): void {
    this.#stopListening();
    this.#cancelSleep();
    this.#isDue = false;
  }

  #subscribeIfDue(): void {
    if (!this.#isDue || !this.#serves) return;
    this.#isDue = false;
    this.parts.subscribe();
  }
}
