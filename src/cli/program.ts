import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { Failure } from '../failure.ts';
import { describeSetting, resolveSettings, type SettingName, type Settings, settingNames } from '../settings.ts';
import { apply } from './apply.ts';
import { failureOf } from './bus-client.ts';
import type { Call } from './call.ts';
import * as read from './reads.ts';
import type { SeatClient } from './seat-client.ts';
import { type Simulating, simulated } from './simulate.ts';
import * as word from './words-that-act.ts';

/** What the command line stands on; the composition root gives it. */
export interface Edge extends Simulating {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly login: string;
  now(): number;
  /** The seat that the settings point at. Throws a `no-seat` {@link Failure} where there is none. */
  connect(settings: Settings, timeoutMs: number): Promise<SeatClient>;
  /** Runs the seat until it is told to stop. */
  serve(settings: Settings, json: boolean): Promise<void>;
}

interface Common {
  readonly json?: boolean;
  readonly config?: string;
  readonly timeout: number;
  readonly by?: string;
}

const TIMEOUT_MS = 5_000;
const everywhere: readonly SettingName[] = ['bus', 'state', 'credentials'];

/** Runs one command and returns its exit code; whatever went wrong has been said. */
export async function run(argv: readonly string[], edge: Edge): Promise<number> {
  try {
    await program(edge).parseAsync([...argv], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.code === 'commander.helpDisplayed' || error.code === 'commander.version' ? 0 : 2;
    const failure = failureOf(error, 'the bus');
    edge.terminal.say(`error: ${failure instanceof Failure ? failure.message : said(failure)}`);
    return failure instanceof Failure ? failure.exitCode : 1;
  }
}

function program(edge: Edge): Command {
  const root = new Command('mesh-provisioner')
    .description('The mesh-provisioner seat: every provision of every program on every node of a mesh, and why it stands as it does.')
    .exitOverride()
    .configureOutput({ writeErr: (text) => edge.terminal.say(text.trimEnd()), writeOut: (text) => edge.terminal.out(text.trimEnd()) });
  serveCommand(root, edge);
  simulateCommand(root, edge);

  const seated = <Options>(line: string, says: string, act: (call: Call<Options>, name: string) => Promise<void>) =>
    seatCommand(root, edge, line, says, act as (call: Call, name: string) => Promise<void>);
  seated('apply <dir>', 'publish a mesh folder: what would change is shown, then done', apply);
  seated('status', 'everything in one screen', read.status);
  seated('health', 'the faults that stand, with likely cause and what would clear each', read.health);
  const state = ['--in-state <state>', 'only keys in this state'] as const;
  located(seated('provisions', 'every key and how it stands', read.provisions)).option(...state);
  located(seated('plans', 'what each module on each node is filled with', read.plans));
  located(seated('provisioning', 'the registry, or the rows of needs, applied or collect', read.provisioning))
    .option('--what <rows>', 'registry, needs, applied or collect', 'registry')
    .option('--collection <name>', 'only this collection');
  seated('asks', 'what waits for an answer, with its proof', read.asks);
  spoken(seated('approve <id>', 'let the provider take away what the ask names', word.approve));
  spoken(seated('keep <id>', 'keep what the ask names', word.keep));
  spoken(seated('compose', 'judge a node again now, or give the word that ends a brake', word.compose), true)
    .option('--node <node>', 'this node alone')
    .option('--fault <key>', 'the mesh-wide brake that the word is for')
    .option('--consumers <list>', 'refuse unless the fault lists exactly these, as node.module,…', commaList)
    .option('--retire-many', 'let exactly the consumers that the fault lists retire')
    .option('--dry-run', 'say what would come of it and do nothing');
  spoken(seated('reconsider <key>', 'judge a key afresh, at a new generation', word.reconsider), true);
  spoken(seated('accept <read>', 'accept a read that came back smaller', word.accept), true).option(
    '--entries <number>',
    'refuse unless there are so many',
    wholeNumber,
  );
  return root;
}

function serveCommand(root: Command, edge: Edge): void {
  const serve = root
    .command('serve')
    .description('run the seat')
    .option('--json', 'print the address as JSON')
    .option(...CONFIG);
  for (const name of settingNames) setting(serve, name);
  serve.action(async (options: Common & Record<string, string | boolean>) => {
    await edge.serve(resolveSettings({ file: options.config, environment: edge.environment, flags: options }), options.json ?? false);
  });
}

function simulateCommand(root: Command, edge: Edge): void {
  root
    .command('simulate')
    .description('live days of a mesh under faults, by seed, and check every promise all the time')
    .option('--seed <number>', 'the first day’s seed', wholeNumber, 1)
    .option('--runs <number>', 'how many days, each of the next seed', wholeNumber, 20)
    .option('--only <list>', 'of the seed’s happenings only those with these numbers, as 0,4,7', numberList)
    .option('--json', 'print the result as JSON')
    .action((options) => simulated(edge, options));
}

function seatCommand(root: Command, edge: Edge, line: string, says: string, act: (call: Call, name: string) => Promise<void>): Command {
  const command = root
    .command(line)
    .description(says)
    .option('--json', 'print data as JSON')
    .option(...CONFIG);
  for (const name of everywhere) setting(command, name);
  command.option('--timeout <ms>', 'how long to wait for an answer', wholeNumber, TIMEOUT_MS);
  return command.action(async (...given: unknown[]) => {
    const named = command.args[0] ?? '';
    const options = given.at(-2) as Common & Record<string, string | boolean>;
    const settings = resolveSettings({ file: options.config, environment: edge.environment, flags: options });
    const client = await edge.connect(settings, options.timeout);
    const { terminal, now } = edge;
    try {
      await act({ client, terminal, json: options.json ?? false, by: options.by ?? edge.login, options, now }, named);
    } finally {
      await client.close();
    }
  });
}

const CONFIG = ['--config <file>', 'read settings from this file, YAML or JSON'] as const;

function setting(command: Command, name: SettingName): void {
  const { flag, says, fallback, takesValue } = describeSetting(name);
  const standing = takesValue && fallback !== undefined ? ` (default: ${fallback})` : '';
  command.option(takesValue ? `${flag} <value>` : flag, `${says}${standing}`);
}

function located(command: Command): Command {
  return command.option('--node <node>', 'only this node').option('--module <module>', 'only this module');
}

function spoken(command: Command, needsWhy = false): Command {
  command.option('--by <who>', 'who says it (default: the login name)', nonEmpty);
  return needsWhy
    ? command.requiredOption('--why <reason>', 'why, for the record', nonEmpty)
    : command.option('--why <reason>', 'why, for the record', nonEmpty);
}

function nonEmpty(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('expected a few words.');
  return value;
}

function wholeNumber(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('expected a whole number.');
  return Number(value);
}

function numberList(value: string): number[] {
  return commaList(value).map(wholeNumber);
}

function commaList(value: string): string[] {
  return value.split(',').filter((item) => item !== '');
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
