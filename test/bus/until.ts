import { setTimeout } from 'node:timers/promises';

const GIVEN_UP_AFTER_MS = 20_000;

/** Waits for a condition, and fails with what it waited for. */
export async function until(condition: () => boolean | Promise<boolean>, what: string, givenUpAfterMs = GIVEN_UP_AFTER_MS): Promise<void> {
  const givenUp = performance.now() + givenUpAfterMs;
  while (!(await condition())) {
    if (performance.now() > givenUp) throw new Error(`waited in vain for ${what}`);
    await setTimeout(5);
  }
}
