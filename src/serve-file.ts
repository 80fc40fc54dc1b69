import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** Where a running `serve` on the embedded bus is reached, for the commands of the same user. */
export const ServeFile = z.object({ url: z.url(), token: z.string().min(1), pid: z.int() });
export type ServeFile = z.infer<typeof ServeFile>;

/** Writes the file, for its owner alone. */
export async function writeServeFile(state: string, running: ServeFile): Promise<void> {
  await mkdir(state, { recursive: true });
  await removeServeFile(state);
  await writeFile(pathOf(state), `${JSON.stringify(running)}\n`, { mode: 0o600 });
}

/** `undefined` where no `serve` wrote one, or it cannot be read as one. */
export async function readServeFile(state: string): Promise<ServeFile | undefined> {
  try {
    return ServeFile.safeParse(JSON.parse(await readFile(pathOf(state), 'utf8'))).data;
  } catch {
    return undefined;
  }
}

export async function removeServeFile(state: string): Promise<void> {
  await rm(pathOf(state), { force: true });
}

function pathOf(state: string): string {
  return join(state, 'serve.json');
}
