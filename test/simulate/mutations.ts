/**
 * Takes one rule after the other out of the seat, and lets the simulator find out: it must break a promise each time.
 *
 * Run by `npm run simulate:mutations`; it takes minutes. Arguments name the mutations to try, all unless given.
 */
import { spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Mutation {
  readonly rule: string;
  /** Stands exactly once in the sources. */
  readonly find: string;
  readonly put: string;
}

const DAYS = 120;

const mutations: readonly Mutation[] = [
  {
    rule: 'P2 a read counts as loaded with the first mark',
    find: '[...listed].filter((key) => !this.#entries.has(key))',
    put: '[].filter(() => false)',
  },
  {
    rule: 'P1 P5 the gate is open though a read is missing',
    find: 'return BEFORE_ANY_PASS.every((read) => reads[read] === undefined);',
    put: 'return BEFORE_ANY_PASS.length > 0 || reads === undefined;',
  },
  {
    rule: 'B1 no brake',
    find: 'return taken > RETIRE_MAX || (taken >= 2 && taken * 2 > Math.max(population, taken));',
    put: 'return population < 0;',
  },
  { rule: 'B3 the brake has no memory', find: 'before: beforeOf(context, pass),', put: 'before: [],' },
  {
    rule: 'A2 one place too many',
    find: 'nextAsks(context, event.at)',
    put: 'nextAsks({ ...context, settings: { ...context.settings, asksOpenMax: context.settings.asksOpenMax + 1 } }, event.at)',
  },
  {
    rule: 'A4 any Approve is one of this ask',
    find: "event.type === 'ask answered' && event.answer === 'Approve' && event.ask === context.ask?.id",
    put: "event.type === 'ask answered'",
  },
  {
    rule: 'A5 no proof before a warrant',
    find: "else if (needed === undefined) enqueue.sendTo(key, { type: 'absence proven', at });",
    put: "else if (at > 0) enqueue.sendTo(key, { type: 'absence proven', at });",
  },
  { rule: 'A6 Keep keeps nothing', find: 'if (standing.kept || leading.some', put: 'if (leading.some' },
  {
    rule: 'C3 a module whose picture is not whole is judged',
    find: "if (consumer?.hold !== undefined) return [{ type: 'hold', at, reason: consumer.hold }];",
    put: '',
  },
  {
    rule: 'K1 an outcome of any generation will do',
    find: "return 'generation' in answer && (answer.generation === 'every' || answer.generation === key.generation);",
    put: "return 'generation' in answer && key.generation > 0;",
  },
  { rule: 'B7 no dwell', find: 'ready: pass.at - since >= context.settings.dwellMs && passes >= 2,', put: 'ready: passes >= 1,' },
  {
    rule: 'K7 gone before the provider has let go',
    find: "if (key.bound) return key.answer.state === 'none' && key.answer.proven;",
    put: 'if (key.bound) return true;',
  },
  {
    rule: 'K6 an ask of what is needed again stays open',
    find: "event: { type: 'ask dropped', at: event.at, id: context.ask.id, why: params.why }",
    put: "event: { type: 'ask dropped', at: event.at, id: '', why: params.why }",
  },
  {
    rule: 'K5 what is needed again keeps its generation',
    find: 'const again = key.unneeded !== undefined || key.kept !== undefined;',
    put: 'const again = key.unneeded !== undefined && key.kept !== undefined;',
  },
  { rule: 'C2 only the newest build counts', find: '[builds.wanted, builds.running, builds.newest]', put: '[builds.newest]' },
];

const chosen = process.argv.slice(2);
const missed: string[] = [];
for (const mutation of mutations) {
  if (chosen.length > 0 && !chosen.some((name) => mutation.rule.includes(name))) continue;
  const caught = await tried(mutation);
  if (caught === undefined) missed.push(mutation.rule);
  console.log(`${caught === undefined ? 'MISSED' : 'caught'}  ${mutation.rule}${caught === undefined ? '' : `\n        ${caught}`}`);
}
console.log(missed.length === 0 ? 'every mutation was caught' : `${missed.length} missed`);
process.exitCode = missed.length === 0 ? 0 : 1;

/** What the simulator said of the mutated seat; `undefined` where it saw nothing. */
async function tried({ rule, find, put }: Mutation): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'mutation-'));
  try {
    await cp('src', join(folder, 'src'), { recursive: true });
    await cp('package.json', join(folder, 'package.json'));
    await symlink(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
    const files = (await readdir(join(folder, 'src'), { recursive: true })).filter((file) => file.endsWith('.ts'));
    const hits: string[] = [];
    for (const file of files.map((name) => join(folder, 'src', name))) {
      const text = await readFile(file, 'utf8');
      if (!text.includes(find)) continue;
      hits.push(file);
      await writeFile(file, text.replace(find, put));
    }
    if (hits.length !== 1) throw new Error(`${rule}: ${JSON.stringify(find)} stands in ${hits.length} files, expected 1`);
    return await simulated(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function simulated(folder: string): Promise<string | undefined> {
  const child = spawn('node_modules/.bin/tsx', ['src/main.ts', 'simulate', '--runs', String(DAYS)], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (/^seed \d+: /m.test(said)) child.kill('SIGKILL');
  });
  return new Promise((done) => child.once('close', () => done(/^seed \d+: .*/m.exec(said)?.[0])));
}
