import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { natsGround } from './grounds.ts';
import { told } from './told.ts';

const marked = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.txt'))
  .filter((file) =>
    readFileSync(join(import.meta.dirname, file), 'utf8')
      .split('\n', 1)[0]!
      .includes('◆'),
  );

/** The stories marked ◆ on a real server: each goes as it does on the embedded bus. */
test.each(marked)('%s', async (file) => {
  await told(join(import.meta.dirname, file), natsGround, false);
});
