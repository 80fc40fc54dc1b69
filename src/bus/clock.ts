/** Time as the parts that wait for something get it, so that a test drives it. Milliseconds everywhere. */
export interface Clock {
  /** Monotonic: it never goes back, and says nothing of the time of day. */
  now(): number;
  /** Calls once, after so long; returns how to call it off. */
  after(ms: number, act: () => void): () => void;
}

/** The longest that a timer of Node's can wait; a longer one would fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, act) {
    let timer: NodeJS.Timeout;
    const wait = (left: number): void => {
      const part = Math.min(left, TIMER_MAX_MS);
      timer = setTimeout(() => (left > part ? wait(left - part) : act()), part);
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};
