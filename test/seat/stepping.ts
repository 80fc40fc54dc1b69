import { setTimeout } from 'node:timers/promises';
import type { ManualClock } from '../bus/manual-clock.ts';

/** Moves a clock on in small steps, and lets what each led to happen before the next. */
export async function pass(clock: ManualClock, ms: number, step = 50): Promise<void> {
  for (let passed = 0; passed < ms; passed += step) {
    clock.advance(Math.min(step, ms - passed));
    await setTimeout(1);
  }
}
