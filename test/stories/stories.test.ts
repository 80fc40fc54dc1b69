import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { embeddedGround } from './grounds.ts';
import { told } from './told.ts';

/** Every story on the embedded bus. `RECORD=1` writes down how each went this time, to be read before it is committed. */
test.each(readdirSync(import.meta.dirname).filter((file) => file.endsWith('.txt')))('%s', async (file) => {
  await told(join(import.meta.dirname, file), embeddedGround, process.env.RECORD === '1');
});
