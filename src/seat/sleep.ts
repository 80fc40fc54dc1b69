import type { Clock } from '../bus/clock.ts';

const LOOK_EVERY_MS = 5_000;
const SLEPT_MS = 30_000;

/** Tells when the process stood still, or the time of day jumped ahead, for over 30 s (P9). Returns how to stop. */
export function watchForSleep(clock: Clock, dayTime: () => number, slept: (forMs: number) => void): () => void {
  let cancel = () => {};
  const look = (before: number, dayBefore: number) => {
    cancel = clock.after(LOOK_EVERY_MS, () => {
      const late = Math.max(clock.now() - before, dayTime() - dayBefore) - LOOK_EVERY_MS;
      if (late > SLEPT_MS) slept(Math.round(late));
      look(clock.now(), dayTime());
    });
  };
  look(clock.now(), dayTime());
  return () => cancel();
}
