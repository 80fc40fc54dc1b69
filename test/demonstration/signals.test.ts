import { expect, test } from 'vitest';
import { until } from '../bus/until.ts';
import { serving } from './serving.ts';
import { Wire } from './wire.ts';

const LATE = 'not everything had ended within 5 s';

test('SIGTERM: it ends in order with 0, and gives the lease back', async () => {
  const { server, child, said, ended, end } = await serving('--create-inputs');
  const wire = await Wire.to(server.url);
  try {
    await until(() => said.said.includes('gate open'), 'the gate');
    expect(await wire.get('mesh-provisioner_seat', 'holder')).toMatchObject({ epoch: 1 });
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, said: expect.not.stringContaining(LATE) });
    expect(await wire.get('mesh-provisioner_seat', 'holder')).toBeUndefined();
  } finally {
    await wire.close();
    await end();
  }
});

test('SIGTERM while the bus does not answer: it ends within its 5 s, and says what it left', async () => {
  const { server, child, said, ended, end } = await serving('--create-inputs');
  try {
    await until(() => said.said.includes('gate open'), 'the gate');
    server.freeze();
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 1, said: expect.stringContaining(LATE) });
  } finally {
    server.thaw();
    await end();
  }
});

test('a second signal ends it at once', async () => {
  const { server, child, said, ended, end } = await serving('--create-inputs');
  try {
    await until(() => said.said.includes('gate open'), 'the gate');
    server.freeze();
    child.kill('SIGTERM');
    await until(() => said.said.includes('stopping'), 'the first signal to be heard');
    const again = setInterval(() => child.kill('SIGTERM'), 50);
    expect(await ended).toMatchObject({ code: 1, said: expect.not.stringContaining(LATE) });
    clearInterval(again);
  } finally {
    server.thaw();
    await end();
  }
});
