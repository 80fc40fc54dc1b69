import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { jsonSchemas } from '../../src/bus/contracts/json-schemas.ts';

const folder = join(import.meta.dirname, '../../schemas');

it('the schemas on disk are those of the code', () => {
  const onDisk = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const read = (name: string) => [name, readFileSync(join(folder, name), 'utf8')] as const;
  expect(Object.fromEntries(onDisk.map(read))).toEqual(Object.fromEntries(jsonSchemas()));
});
