import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonSchemas } from '../src/bus/contracts/json-schemas.ts';

/** Writes the JSON Schemas of the wire beside this file with `--write`; without, fails where those on disk differ from the code's. */
const folder = import.meta.dirname;
const files = jsonSchemas();
const stale = readdirSync(folder).filter((name) => name.endsWith('.json') && !files.has(name));
const different = [...files].filter(([name, text]) => read(name) !== text).map(([name]) => name);

if (process.argv.includes('--write')) {
  for (const name of stale) rmSync(join(folder, name));
  for (const name of different) writeFileSync(join(folder, name), files.get(name) ?? '');
} else if (stale.length + different.length > 0) {
  console.error(`These schemas differ from the code, run npm run schemas: ${[...different, ...stale].join(', ')}`);
  process.exitCode = 1;
}

function read(name: string): string | undefined {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    return undefined;
  }
}
