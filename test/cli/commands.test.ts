import { describe, expect, test } from 'vitest';
import type { ServiceReply } from '../../src/bus/port.ts';
import { type Edge, run } from '../../src/cli/program.ts';
import { answerOf, type SeatClient } from '../../src/cli/seat-client.ts';
import { coloured, plain } from '../../src/cli/terminal.ts';
import type { Change } from '../../src/mesh/apply.ts';
import { empty, full, standIn } from './stand-in.ts';

const WHY = ['--why', 'told so'];
const commands: [name: string, argv: string[]][] = [
  ['apply', ['apply', 'examples/two-nodes']],
  ['status', ['status']],
  ['health', ['health']],
  ['provisions', ['provisions', '--node', 'ace']],
  ['plans', ['plans']],
  ['provisioning', ['provisioning']],
  ['asks', ['asks']],
  ['approve', ['approve', 'ask-1']],
  ['keep', ['keep', 'ask-1']],
  ['compose', ['compose', ...WHY]],
  ['reconsider', ['reconsider', 'ace.shop.route', ...WHY]],
  ['accept', ['accept', 'wants', ...WHY]],
];

describe.each(commands)('%s', (_, argv) => {
  test('prints words, on stdout alone what is data', async () => {
    const { code, out } = await typed(argv);
    expect(code).toBe(0);
    expect(out).not.toBe('');
    expect(out).not.toContain('\u001b');
  });

  test('prints JSON with --json, of an empty mesh too', async () => {
    for (const answers of [full, empty]) {
      const { code, out } = await typed([...argv, '--json'], { answers });
      expect(code).toBe(0);
      expect(() => JSON.parse(out)).not.toThrow();
    }
  });

  test('has colour on a terminal and says the same', async () => {
    const inColour = await typed(argv, { colour: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colour is control characters
    expect(inColour.out.replace(/\u001b\[\d+m/g, '')).toBe((await typed(argv)).out);
  });

  test('an unknown flag is a usage error that names the near one', async () => {
    const { code, said, calls } = await typed([...argv, '--jsno']);
    expect(code).toBe(2);
    expect(said).toContain("unknown option '--jsno'\n(Did you mean --json?)");
    expect(calls).toEqual([]);
  });
});

test.each<[string[], string]>([
  [['provisions'], 'provisions'],
  [['plans'], 'plans'],
  [['provisioning'], 'provisioning'],
  [['asks'], 'asks'],
  [['health'], 'health'],
  [['compose', ...WHY], 'compose'],
])('%j in JSON is what its verb answers', async (argv, verb) => {
  const { out } = await typed([...argv, '--json'], { answers: full });
  expect(JSON.parse(out)).toEqual(full[`mesh-provisioner.${verb}` as keyof typeof full]);
});

describe('what is asked of the seat', () => {
  test.each<[string[], unknown]>([
    [
      ['provisions', '--node', 'ace', '--module', 'shop', '--in-state', 'held'],
      ['mesh-provisioner.provisions', { node: 'ace', module: 'shop', state: 'held' }],
    ],
    [
      ['provisioning', '--what', 'collect', '--collection', 'c'],
      ['mesh-provisioner.provisioning', { what: 'collect', collection: 'c' }],
    ],
    [
      ['approve', 'ask-1'],
      ['mesh-router.answer', { id: 'ask-1', answer: 'Approve', by: 'ada' }],
    ],
    [
      ['keep', 'ask-1', '--by', 'eve', ...WHY],
      ['mesh-router.answer', { id: 'ask-1', answer: 'Keep', by: 'eve', why: 'told so' }],
    ],
    [
      ['compose', '--node', 'ace', '--retire-many', '--consumers', 'ace.shop,ace.wiki', '--dry-run', ...WHY],
      [
        'mesh-provisioner.compose',
        { node: 'ace', consumers: ['ace.shop', 'ace.wiki'], 'retire-many': true, 'dry-run': true, by: 'ada', why: 'told so' },
      ],
    ],
    [
      ['compose', '--fault', 'mesh-brake.all', ...WHY],
      ['mesh-provisioner.compose', { fault: 'mesh-brake.all', by: 'ada', why: 'told so' }],
    ],
    [
      ['reconsider', 'a.b.c', ...WHY],
      ['mesh-provisioner.reconsider', { key: 'a.b.c', by: 'ada', why: 'told so' }],
    ],
    [
      ['accept', 'wants', '--entries', '3', ...WHY],
      ['mesh-provisioner.accept', { read: 'wants', entries: 3, by: 'ada', why: 'told so' }],
    ],
  ])('%j', async (argv, call) => {
    expect((await typed(argv)).calls).toEqual([call]);
  });
});

describe('usage errors', () => {
  test.each<[string[], string]>([
    [[], 'Usage: mesh-provisioner'],
    [['staus'], "unknown command 'staus'\n(Did you mean status?)"],
    [['approve'], "missing required argument 'id'"],
    [['compose'], "required option '--why <reason>' not specified"],
    [['compose', '--why', ' '], 'expected a few words'],
    [['accept', 'wants', '--entries', 'many', ...WHY], 'expected a whole number'],
    [['status', '--bus', 'redis://x'], '--bus: found "redis://x", expected embedded or nats://HOST:PORT'],
    [['status', 'now'], 'too many arguments'],
  ])('%j', async (argv, says) => {
    const { code, out, said } = await typed(argv);
    expect([code, out]).toEqual([2, '']);
    expect(said).toContain(says);
  });

  test('help is no error', async () => {
    expect(await typed(['compose', '--help'])).toMatchObject({ code: 0, said: '' });
  });
});

test.each([
  [400, 2],
  [403, 5],
  [404, 4],
  [409, 5],
  [423, 5],
  [429, 5],
  [500, 1],
  [503, 3],
])('a refusal with code %i ends with exit code %i, its words on stderr', async (code, exit) => {
  const ended = await typed(['health'], { refusal: { ok: false, code, says: 'because' } });
  expect(ended).toMatchObject({ code: exit, out: '', said: 'error: because\n' });
});

test('a braked pass is a refusal, but for a dry run', async () => {
  const pass = { node: 'ace', judged: 6, retires: [], braked: (full['mesh-provisioner.health'] as { faults: unknown[] }).faults[0] };
  const answers = { ...full, 'mesh-provisioner.compose': { passes: [pass] } };
  expect(await typed(['compose', ...WHY], { answers })).toMatchObject({ code: 5, said: 'error: braked: ace\n' });
  expect(await typed(['compose', '--dry-run', ...WHY], { answers })).toMatchObject({ code: 0 });
});

test('an answer out of schema is said, not shown as if it were whole', async () => {
  const { code, said } = await typed(['health'], { answers: { 'mesh-provisioner.health': { healthy: 'yes' } } });
  expect(code).toBe(1);
  expect(said).toContain('mesh-provisioner.health answered out of schema at healthy');
});

test('apply shows each change before it is done', async () => {
  const { out, said, done } = await typed(['apply', 'examples/two-nodes']);
  expect(out).toBe('+ put mesh-controller_wants ace.shop\n- delete mesh-controller_wants ace.wiki\n');
  expect(done).toEqual([out]);
  expect(said).toBe('two-nodes: 2 changes published\n');
});

test('asks prints what an operator needs to decide', async () => {
  const { out } = await typed(['asks']);
  for (const part of ['May the route of shop', 'ace.shop.route', 'revision 4', 'mesh-provisioner keep ask-1', 'ace.wiki.route'])
    expect(out).toContain(part);
});

interface Typed {
  readonly answers?: Readonly<Record<string, unknown>>;
  readonly refusal?: ServiceReply;
  readonly colour?: boolean;
}

async function typed(argv: string[], { answers = full, refusal, colour = false }: Typed = {}) {
  const seat = standIn(answers);
  let out = '';
  let said = '';
  const done: string[] = [];
  const changes: Change[] = [
    { do: 'put', bucket: 'mesh-controller_wants', key: 'ace.shop' },
    { do: 'delete', bucket: 'mesh-controller_wants', key: 'ace.wiki' },
  ];
  const client: SeatClient = {
    call: async (verb, request) => answerOf(verb, refusal ?? (await seat.call(verb, request))),
    publish: async () => ({ changes, perform: async () => void done.push(out) }),
    close: async () => {},
  };
  const edge: Edge = {
    environment: {},
    terminal: {
      out: (text) => {
        out += `${text}\n`;
      },
      say: (text) => {
        said += `${text}\n`;
      },
      paint: colour ? coloured : plain,
    },
    login: 'ada',
    now: () => Date.parse('2026-11-02T23:00:00.000Z'),
    connect: async () => client,
    simulate: () => Promise.reject(new Error('not here')),
    serve: async () => {},
  };
  const code = await run(argv, edge);
  return { code, out, said, done, calls: seat.calls };
}
