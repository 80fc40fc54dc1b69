import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../bus/until.ts';
import { start } from '../cli/process.ts';
import { serving } from './serving.ts';

test('a program that knows the wire alone drives the seat: asked, provided, one ask a key, the warrant, gone; and 21 at once stay', async () => {
  const { server, said, end } = await serving('--create-inputs', '--dwell-ms', '500');
  try {
    await until(() => said.said.includes('gate open'), 'the gate');
    const drive = await start([server.url], {}, join(import.meta.dirname, 'drive.ts')).ended;
    expect(drive.said).toBe('');
    const [up, one, all, back] = drive.out.split('\n');
    expect(up).toBe('25 keys were asked, then provided');
    expect(one).toBe('4 keys of the shop: one ask each, Approve, the warrant, and gone as the provider let go');
    expect(all).toMatch(/^21 apps vanished at once: 0 asks, 2 brake faults: /);
    expect(back).toBe('they came back: every key is provided as before, healthy');
    expect(drive.code).toBe(0);
  } finally {
    await end();
  }
});
