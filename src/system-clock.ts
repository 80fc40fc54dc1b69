import type { Clock } from './play/stage.ts';

/** The machine's own clock and timers. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
};
