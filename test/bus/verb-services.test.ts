import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Bus } from '../../src/bus/port.ts';
import { Refusal, type VerbHandlers, verbServices } from '../../src/bus/verb-services.ts';
import { adapters, type BusUnderTest } from './buses.ts';

const raise = { id: 'i', asker: 'mesh-provisioner', subject: 'n1.blog.route', question: 'May it go?', proof: null };
const handlers: VerbHandlers = {
  'mesh-provisioner.reconsider': async ({ key }) =>
    key === 'a.b.c' ? { key, state: 'judging' } : new Refusal(404, `there is no key ${key}`),
  'mesh-provisioner.compose': async () => ({ passes: [] }),
  'mesh-provisioner.asks': () => Promise.reject(new Error('secret')),
  'mesh-router.raise': async () => ({}),
};

describe.each(adapters)('verbs on the $name bus', ({ make }) => {
  let under: BusUnderTest;
  let bus: Bus;
  let faults: string[];
  const ask = (subject: string, request: unknown) => bus.request(subject, JSON.stringify(request), 5_000);

  beforeAll(async () => {
    under = await make();
    bus = under.bus;
    const services = verbServices(handlers, '0.1.0', (verb, error) => faults.push(`${verb}: ${(error as Error).message}`));
    for (const service of services) await bus.serve(service);
  });
  beforeEach(() => {
    faults = [];
  });
  afterAll(() => under.end());

  test('answer in JSON', async () => {
    const reply = await ask('mesh-provisioner.reconsider', { key: 'a.b.c', by: 'ada', why: 'moved' });
    expect(reply).toEqual({ ok: true, text: '{"key":"a.b.c","state":"judging"}' });
  });

  test('refuse with a code and a reason', async () => {
    const reply = await ask('mesh-provisioner.reconsider', { key: 'x.y.z', by: 'ada', why: 'moved' });
    expect(reply).toEqual({ ok: false, code: 404, says: 'there is no key x.y.z' });
  });

  test('say what is wrong with a request, where, and what was expected', async () => {
    const reply = await ask('mesh-provisioner.compose', { by: 'ada', consumers: [7] });
    expect(reply).toEqual({
      ok: false,
      code: 400,
      says:
        'mesh-provisioner.compose: consumers.0: Invalid input: expected string, received number; ' +
        'why: Invalid input: expected string, received undefined',
    });
    expect(await bus.request('mesh-provisioner.compose', 'compose!', 5_000)).toMatchObject({
      code: 400,
      says: expect.stringContaining('no JSON'),
    });
    expect(await ask('mesh-provisioner.compose', 'x')).toMatchObject({
      code: 400,
      says: expect.stringContaining('the request: Invalid input: expected object'),
    });
  });

  test('take a failing handler for a fault of the seat’s, and go on', async () => {
    expect(await ask('mesh-provisioner.asks', {})).toMatchObject({ ok: false, code: 500, says: expect.not.stringContaining('secret') });
    expect(faults).toEqual(['mesh-provisioner.asks: secret']);
    expect(await ask('mesh-provisioner.compose', { by: 'ada', why: 'now' })).toMatchObject({ ok: true });
  });

  test('raise for the asker that the subject names, and for no other', async () => {
    expect(await ask('mesh-router.raise', raise)).toEqual({ ok: true, text: '{}' });
    expect(await ask('mesh-router.raise.mesh-provisioner', raise)).toEqual({ ok: true, text: '{}' });
    expect(await ask('mesh-router.raise.another', raise)).toMatchObject({ ok: false, code: 403 });
    expect(await ask('mesh-router.raise.an=3Aother', { ...raise, asker: 'an:other' })).toMatchObject({ ok: true });
  });

  test('that have no handler are not served', async () => {
    await expect(ask('mesh-provisioner.health', {})).rejects.toMatchObject({ code: 'no-responders' });
  });
});

test('endpoints have the names that operators know, and carry both schemas', () => {
  const [seat, router] = verbServices(handlers, '0.1.0', () => {});
  expect(seat?.name).toBe('mesh-provisioner');
  expect(seat?.endpoints.map(({ name, subject }) => `${name} ${subject}`)).toEqual([
    'reconsider mesh-provisioner.reconsider',
    'provisioner_compose mesh-provisioner.compose',
    'asks mesh-provisioner.asks',
  ]);
  expect(router?.endpoints.map(({ name, subject }) => `${name} ${subject}`)).toEqual([
    'raise mesh-router.raise',
    'raise_as mesh-router.raise.*',
  ]);
  expect(JSON.parse(seat!.endpoints[0]!.metadata.request!)).toMatchObject({ type: 'object', required: ['key', 'by', 'why'] });
  expect(JSON.parse(seat!.endpoints[0]!.metadata.answer!)).toMatchObject({ type: 'object', required: ['key', 'state'] });
});
