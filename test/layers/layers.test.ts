import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const imports = (source: string) => `export * from '${source}';`;

/** Where a line of code may not stand, and where it may. */
const rules: readonly { code: string; refused: string[]; allowed: string[] }[] = [
  { code: imports('nats'), refused: ['bus', 'bus/embedded', 'machines', 'kernel', 'seat', 'cli'], allowed: ['bus/nats'] },
  { code: imports('lmdb'), refused: ['bus', 'bus/nats', 'machines', 'kernel', 'seat', 'cli'], allowed: ['bus/embedded'] },
  { code: imports('xstate'), refused: ['bus', 'bus/contracts', 'seat', 'outbox', 'inspector'], allowed: ['machines', 'kernel'] },
  { code: `export { createActor } from 'xstate';`, refused: ['machines'], allowed: ['kernel'] },
  { code: imports('immer'), refused: ['kernel', 'bus/contracts'], allowed: ['machines'] },
  { code: imports('zod'), refused: ['machines', 'kernel'], allowed: ['bus/contracts'] },
  { code: imports('node:fs'), refused: ['machines', 'kernel', 'bus/contracts'], allowed: ['bus/embedded'] },
  { code: imports('node:process'), refused: ['machines', 'kernel', 'seat', 'bus', 'cli'], allowed: ['.'] },
  { code: imports('../kernel/kernel.ts'), refused: ['machines', 'bus'], allowed: ['seat', 'outbox', 'router'] },
  { code: imports('../inspector/page.ts'), refused: ['machines', 'kernel', 'bus', 'seat', 'outbox', 'router'], allowed: ['cli'] },
  { code: imports('../bus/port.ts'), refused: ['machines', 'kernel'], allowed: ['seat', 'outbox', 'router'] },
  { code: imports('../bus/nats/connect.ts'), refused: ['machines', 'kernel', 'seat', 'outbox', 'router', 'cli'], allowed: [] },
  { code: imports('./bus/nats/connect.ts'), refused: [], allowed: ['.'] },
  { code: imports('../port.ts'), refused: ['bus/contracts'], allowed: ['bus/nats'] },
  { code: `import type { Have } from '../bus/contracts/haves.ts';`, refused: [], allowed: ['machines', 'kernel'] },
  { code: `import { Have } from '../bus/contracts/haves.ts';`, refused: ['machines'], allowed: ['seat'] },
  { code: `import { keyOf } from '../bus/contracts/tokens.ts';`, refused: [], allowed: ['machines'] },
  ...['Date.now()', 'new Date()', 'Math.random()', 'setTimeout(() => {}, 1)', 'fetch("")', 'console', 'Promise'].map((code) => ({
    code: `export const impure = ${code};`,
    refused: ['machines'],
    allowed: ['outbox'],
  })),
  { code: 'export const at = new Date(0).toISOString();', refused: [], allowed: ['machines'] },
  { code: 'export const home = process.env.HOME;', refused: ['machines', 'kernel', 'bus/nats', 'seat', 'cli'], allowed: ['.'] },
  { code: 'export const words = process.argv;', refused: ['machines', 'kernel', 'bus/nats', 'seat', 'cli'], allowed: ['.'] },
];

let folder: string;
const found = new Set<string>();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'layers-'));
  for (const name of ['biome.json', 'lint']) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  for (const [index, { code, refused, allowed }] of rules.entries()) {
    for (const layer of [...refused, ...allowed]) {
      const file = join(folder, fileOf(layer, index));
      mkdirSync(dirname(file), { recursive: true });
      appendFileSync(file, `${code}\n`);
    }
  }
  for (const file of refusedByLinter()) found.add(file);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the linter keeps layers apart', () => {
  it.each(rules.map((rule, index) => [rule.code, rule, index] as const))('%s', (_, { refused, allowed }, index) => {
    expect(refused.filter((layer) => !found.has(fileOf(layer, index)))).toEqual([]);
    expect(allowed.filter((layer) => found.has(fileOf(layer, index)))).toEqual([]);
  });
});

/** `.` is the composition root, one file for every rule. */
function fileOf(layer: string, index: number): string {
  return layer === '.' ? 'src/main.ts' : `src/${layer}/case-${index}.ts`;
}

function refusedByLinter(): string[] {
  const only = ['style/noRestrictedImports', 'style/noRestrictedGlobals', 'plugin'].map((rule) => `--only=${rule}`);
  const args = ['lint', '--vcs-enabled=false', '--reporter=github', '--max-diagnostics=none', ...only, 'src'];
  const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/biome'), args, { cwd: folder, encoding: 'utf8' });
  return [...stdout.matchAll(/^::error .*?file=([^,]+),/gm)].map(([, file]) => relative(folder, resolve(folder, file ?? '')));
}
