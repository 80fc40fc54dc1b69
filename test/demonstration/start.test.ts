import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../bus/until.ts';
import { ran } from '../cli/process.ts';
import { temporaryFolder } from '../temporary.ts';

const state = join(temporaryFolder(), 'state');

test('npm start prints the page, and shows every key of the example provided', async () => {
  const startedAt = performance.now();
  const environment = { ...process.env, MESH_PROVISIONER_STATE: state, MESH_PROVISIONER_HTTP: '127.0.0.1:0' };
  const child = spawn('npm', ['start'], { env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let said = '';
  for (const from of [child.stdout, child.stderr])
    from.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  try {
    await until(
      () => /^ace: 9 keys, 9 provided$/m.test(said) && /^novox: 5 keys, 5 provided$/m.test(said),
      `every key in:\n${said}`,
      100_000,
    );
    process.stdout.write(`npm start showed every key provided after ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);
    expect(said).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/m);
    const { code, out } = await ran(['provisions', '--json', '--state', state]);
    expect(code).toBe(0);
    const states = (JSON.parse(out) as { rows: { value: { state: string } }[] }).rows.map(({ value }) => value.state);
    expect(states).toEqual(Array(14).fill('provided'));
  } finally {
    process.kill(-child.pid!, 'SIGINT');
    await once(child, 'exit');
  }
});
