import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { Failure } from './failure.ts';
import { nearest } from './nearest.ts';
import { known, mistakeLine, readSource } from './source.ts';

const milliseconds = (fallback: number, says: string) => {
  const error = 'expected a whole number of milliseconds, 0 or more';
  return z.int({ error }).min(0, { error }).default(fallback).describe(says);
};
const positive = (fallback: number, unit: string, says: string) => {
  const error = `expected a whole number of ${unit}, 1 or more`;
  return z.int({ error }).min(1, { error }).default(fallback).describe(says);
};
const flag = (says: string) => z.boolean({ error: 'expected true or false' }).default(false).describe(says);
const text = (error: string, says: string) => z.string({ error }).min(1, { error }).optional().describe(says);

const BUS = { error: 'expected embedded or nats://HOST:PORT' };
const HTTP = { error: 'expected HOST:PORT, port 0 meaning a free one' };
const PORT_MAX = 65_535;

const shape = {
  bus: z
    .string(BUS)
    .regex(/^(embedded|nats:\/\/.+)$/, BUS)
    .default('embedded')
    .describe('embedded, or nats://HOST:PORT'),
  state: z.string({ error: 'expected a folder' }).min(1).default('./.mesh-provisioner').describe("the embedded bus's folder"),
  http: z
    .string(HTTP)
    .regex(/^(\[[0-9a-fA-F:]+\]|[^\s:]+):\d{1,5}$/, HTTP)
    .refine((address) => Number(address.split(':').at(-1)) <= PORT_MAX, HTTP)
    .optional()
    .describe('HOST:PORT of the page and /api'),
  httpAnywhere: flag('allow an --http host that is not loopback'),
  credentials: text('expected a file', 'the NATS credentials file'),
  operatorCredentials: text('expected a file', "the NATS credentials file of words that act from the page, the seat's own unless given"),
  tokenFile: text('expected a file', 'read the token for words that act from this file'),
  mesh: text('expected a mesh folder', 'publish this mesh folder first'),
  play: flag("stand in for that mesh's node engines and providers"),
  router: z.enum(['builtin', 'external'], { error: 'expected builtin or external' }).default('builtin').describe('who keeps the asks'),
  createInputs: flag('make the input buckets where they are missing'),
  dwellMs: milliseconds(60_000, 'how long nothing must need a key before it retires'),
  brakeWindowMs: milliseconds(3_600_000, 'how long a retired consumer counts for the brake'),
  brakeSettleMs: milliseconds(600_000, 'how long a braked set must stand still under the limit'),
  wordMs: milliseconds(900_000, "how long the operator's retire-many holds"),
  holdFaultMs: milliseconds(2_700_000, 'how long a module may be held at one build before it is a fault'),
  askRecordMs: milliseconds(60_000, 'how long a loaded router may hold no record of an ask'),
  asksOpenMax: positive(3, 'asks', 'how many asks stand open at once'),
  leaseMs: positive(10_000, 'milliseconds', "how long the holder's entry may stand unchanged"),
  snapshotMs: positive(60_000, 'milliseconds', 'how often what changed goes into a snapshot'),
  journalAgeMs: positive(604_800_000, 'milliseconds', 'how long a record stays in the journal, at least until no snapshot needs it'),
  journalBytes: positive(1_073_741_824, 'bytes', 'how large the journal may be, but for what a snapshot needs of it'),
  registryMs: positive(3_600_000, 'milliseconds', 'how often the registry is looked over'),
};

const Schema = known(shape);
export type Settings = z.infer<typeof Schema>;
export type SettingName = keyof Settings;
export const settingNames = Object.keys(shape) as SettingName[];

const PREFIX = 'MESH_PROVISIONER_';

export interface SettingSources {
  /** A `--config` file, YAML or JSON. */
  readonly file?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** By setting name, as the command line gave them. */
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
}

/** Defaults, then the file, then the environment, then flags. Throws a usage {@link Failure} that lists every mistake and where it is. */
export function resolveSettings(sources: SettingSources): Settings {
  const mistakes: string[] = [];
  const given = {
    ...fromFile(sources.file, mistakes),
    ...fromEnvironment(sources.environment, mistakes),
    ...fromFlags(sources.flags, mistakes),
  };
  if (mistakes.length > 0) throw new Failure('usage', mistakes.join('\n'));
  return Schema.parse(given);
}

/** A setting as help, README and command line know it. */
export function describeSetting(name: SettingName) {
  const field = shape[name];
  const fallback = field.safeParse(undefined).data;
  return { flag: flagOf(name), environment: environmentOf(name), says: field.description ?? '', fallback, takesValue: fallback !== false };
}

function fromFile(file: string | undefined, mistakes: string[]): Record<string, unknown> {
  if (file === undefined) return {};
  const source = readSource(file, readConfig(file), known(optional(shape)));
  if (!Array.isArray(source)) return present(source.value);
  mistakes.push(...source.map(mistakeLine));
  return {};
}

function readConfig(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Failure('usage', `--config ${file}: cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

function fromEnvironment(environment: SettingSources['environment'], mistakes: string[]): Record<string, unknown> {
  const byName = new Map(settingNames.map((name) => [environmentOf(name), name]));
  const given: Record<string, unknown> = {};
  for (const [variable, value] of Object.entries(environment)) {
    if (value === undefined || !variable.startsWith(PREFIX)) continue;
    const name = byName.get(variable);
    if (name === undefined) {
      const near = nearest(variable, [...byName.keys()]);
      mistakes.push(`${variable}: no such setting${near === undefined ? '' : `; did you mean ${near}?`}`);
    } else given[name] = fromText(name, value, variable, mistakes);
  }
  return given;
}

function fromFlags(flags: SettingSources['flags'], mistakes: string[]): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const name of settingNames) {
    const value = flags[name];
    if (value === undefined) continue;
    given[name] = typeof value === 'string' ? fromText(name, value, flagOf(name), mistakes) : value;
  }
  return given;
}

/** Text becomes what its setting is: the text itself, a number, or true and false. */
function fromText(name: SettingName, value: string, from: string, mistakes: string[]): unknown {
  const readings: unknown[] = [value];
  if (/^-?\d+(\.\d+)?$/.test(value)) readings.push(Number(value));
  if (value === 'true' || value === 'false') readings.push(value === 'true');
  for (const reading of readings) if (shape[name].safeParse(reading).success) return reading;
  mistakes.push(`${from}: found ${JSON.stringify(value)}, ${shape[name].safeParse(readings.at(-1)).error?.issues[0]?.message}`);
  return undefined;
}

function optional<S extends z.ZodRawShape>(fields: S) {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, z.optional(field as z.ZodType)]));
}

function present(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined));
}

function environmentOf(name: string): string {
  return PREFIX + name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
