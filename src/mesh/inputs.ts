import { inputBuckets } from '../bus/contracts/buckets.ts';
import type { Bus } from '../bus/port.ts';

const HISTORY = 5;

/** The input buckets that the bus has not. */
export async function missingInputs(bus: Bus): Promise<string[]> {
  const found = await Promise.all(inputBuckets.map(async (bucket) => ({ bucket, there: (await bus.identity(bucket)) !== undefined })));
  return found.filter(({ there }) => !there).map(({ bucket }) => bucket);
}

/** Makes the input buckets that are missing, and says which. */
export async function createInputs(bus: Bus): Promise<string[]> {
  const missing = await missingInputs(bus);
  for (const bucket of missing) await bus.createBucket(bucket, { history: HISTORY });
  return missing;
}
