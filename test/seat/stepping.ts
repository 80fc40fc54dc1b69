import { setTimeout } from 'node:timers/promises';
import type { ManualClock } from '../bus/manual-clock.ts';
import { until } from '../bus/until.ts';

const STEP_MS = 50;

/** Moves a clock on in small steps, and lets what each led to end before the next. */
export async function pass(clock: ManualClock, ms: number, isQuiet = () => true): Promise<void> {
  for (let passed = 0; passed < ms; passed += STEP_MS) {
    clock.advance(Math.min(STEP_MS, ms - passed));
    await setTimeout(1);
    await until(isQuiet, 'what the step led to');
  }
}
