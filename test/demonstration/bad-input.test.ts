import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../bus/until.ts';
import { type Ended, ran } from '../cli/process.ts';
import { temporaryFolder } from '../temporary.ts';
import { serving } from './serving.ts';
import { type Json, Wire } from './wire.ts';

interface Row {
  readonly key: string;
  readonly value: { readonly state: string; readonly detail?: string; readonly why: string };
}

const folder = temporaryFolder();

describe('on the bus of a running seat', () => {
  let serve: Awaited<ReturnType<typeof serving>>;
  let wire: Wire;
  let asBefore: Row[];

  beforeAll(async () => {
    serve = await serving('--create-inputs', '--mesh', 'examples/two-nodes', '--play', '--dwell-ms', '0');
    wire = await Wire.to(serve.server.url);
    await until(
      () => serve.said.said.includes('ace: 9 keys, 9 provided') && serve.said.said.includes('novox: 5 keys, 5 provided'),
      'the mesh',
    );
    asBefore = (await rows()).filter(({ key }) => key !== 'novox.blog.route');
  });
  afterAll(async () => {
    await wire.close();
    await serve.end();
  });

  test('an entry out of schema, or that is no JSON, holds its module and names the field', async () => {
    await wire.put('mesh-controller_wants', 'ace.shop', { build: 7 });
    await wire.write('mesh-controller_wants', 'ace.wiki', 'b2');
    await says('mesh-controller_wants ace.shop at revision 10 cannot be read: build: expected text, found 7');
    await says('mesh-controller_wants ace.wiki at revision 11 cannot be read: expected JSON: ');
    const held = await plans();
    expect(held.get('ace.shop')).toMatchObject({ build: 'b7', held: expect.stringContaining('build: expected text, found 7') });
    expect(held.get('ace.wiki')).toMatchObject({ build: 'b2', held: expect.stringContaining('expected JSON') });
    expect(held.get('novox.blog')).not.toHaveProperty('held');
  });

  test('a key out of its shape is named, with the shape', async () => {
    await wire.put('mesh-host_haves', 'ace', { build: 'b1', state: 'healthy', at: new Date().toISOString() });
    await wire.put('mesh-placement_modules', 'ace.a=zz', {});
    await says('mesh-host_haves has a key out of its shape, ace: expected <node>.<module>, found 1 token');
    await says(
      'mesh-placement_modules has a key out of its shape, ace.a=zz: expected <node>.<module>, "a=zz" is not how a name is written',
    );
  });

  test('a need that nobody offers waits and says so; an offer without a credential form is named', async () => {
    await place('lonely', { needs: [{ provision: 'moon' }] });
    await until(async () => (await row('novox.lonely.moon'))?.value.why === 'no module offers moon', 'what the key waits for');
    await place('odd', { offers: [{ provision: 'moon', bound: true }] });
    await says('odd on novox offers moon without a credential form');
    const why = 'odd on novox offers moon without saying its credential form (pair, secret or none)';
    await until(async () => (await row('novox.lonely.moon'))?.value.why === why, 'why the key waits');
    expect((await row('novox.lonely.moon'))?.value).toMatchObject({ state: 'judging', detail: 'blocked' });
  });

  test('a module with no composition is held: what stands of it stays', async () => {
    await wire.put('mesh-controller_wants', 'novox.blog', { build: 'b10' });
    await until(async () => 'held' in ((await plans()).get('novox.blog') ?? {}), 'the held plan');
    expect((await plans()).get('novox.blog')).toMatchObject({
      build: 'b9',
      held: expect.stringContaining('the composition of blog at build b10 is not published'),
    });
  });

  test('and none of it cost anything else', async () => {
    const now = new Map((await rows()).map(({ key, value }) => [key, value.state]));
    for (const { key } of asBefore) expect([key, now.get(key)]).toEqual([key, 'provided']);
    expect(await wire.all('mesh-router_asks')).toEqual(new Map());
  });

  async function says(words: string): Promise<void> {
    await until(async () => (await typed('health')).out.includes(words), `"${words}" in health`);
  }
  async function place(module: string, composition: Json): Promise<void> {
    await wire.put('mesh-indexer_modules', module, { newest: 'b1', builds: ['b1'], at: new Date().toISOString() });
    await wire.put('mesh-indexer_compositions', `${module}.b1`, composition);
    await wire.put('mesh-placement_modules', `novox.${module}`, {});
    await wire.put('mesh-controller_wants', `novox.${module}`, { build: 'b1' });
  }
  async function plans(): Promise<Map<string, Json>> {
    return wire.all('mesh-provisioner_plans');
  }
  async function rows(): Promise<Row[]> {
    return (await wire.ask<{ rows: Row[] }>('mesh-provisioner.provisions', {})).rows;
  }
  async function row(key: string): Promise<Row | undefined> {
    return (await rows()).find((one) => one.key === key);
  }
  function typed(...argv: string[]): Promise<Ended> {
    return ran([...argv, '--bus', serve.server.url]);
  }
});

test('a bucket that is not there shuts the gate: serve, health and compose say which (5)', async () => {
  const { server, said, end } = await serving();
  try {
    const missing = 'gate shut: wants: bucket mesh-controller_wants is not there';
    await until(() => said.said.includes(missing), 'the line of serve');
    const [health, compose] = await Promise.all([
      ran(['health', '--bus', server.url]),
      ran(['compose', '--why', 'x', '--bus', server.url]),
    ]);
    expect(health).toMatchObject({ code: 0, out: expect.stringContaining('wants: bucket mesh-controller_wants is not there') });
    expect(compose).toMatchObject({ code: 5, out: '', said: expect.stringContaining('the gate is shut') });
  } finally {
    await end();
  }
});

test('a mesh folder with mistakes: each with file, line and what was expected, and nothing is published (1)', async () => {
  const mesh = join(folder, 'mesh');
  cpSync('examples/two-nodes', mesh, { recursive: true });
  const file = join(mesh, 'modules', 'wiki.yaml');
  const text = `newest: b2
builds:
  b2:
    needs:
      - { provision: route, with: { host: "\${hots:x}" } }
    offers:
      - { provision: wiki, bound: true }
    fills:
      - { path: /etc/wiki, mode: "9999", content: "" }
`;
  writeFileSync(file, text);
  const { code, out, said } = await ran(['serve', '--state', join(folder, 'state'), '--http', '127.0.0.1:0', '--mesh', mesh]);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(said).toContain(`${file}:7:9: builds.b2.offers.0.credential: found nothing, expected one of "pair"|"secret"|"none"`);
  expect(said).toContain(`${file}:9:34: builds.b2.fills.0.mode: found "9999", expected an octal mode such as "0640"`);
  writeFileSync(file, text.replace('wiki, bound', 'wiki, credential: none, bound').replace('9999', '0640'));
  const mended = await ran(['serve', '--state', join(folder, 'state'), '--http', '127.0.0.1:0', '--mesh', mesh]);
  expect(mended.said).toContain(
    `${file}:5:43: builds.b2.needs.0.with.host: found "\${hots:x}", expected \${<kind>:<name>} with a kind of config, `,
  );
});

test('a port that there is none of is a usage error (2)', async () => {
  expect(await ran(['serve', '--http', '127.0.0.1:65536'])).toEqual({
    code: 2,
    out: '',
    said: 'error: --http: found "127.0.0.1:65536", expected HOST:PORT, port 0 meaning a free one\n',
  });
});
