import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { systemClock } from './bus/clock.ts';
import { Journal } from './bus/journal.ts';
import type { Bus } from './bus/port.ts';
import { changeWords } from './cli/words-rows.ts';
import { Failure } from './failure.ts';
import { httpApp, type SeatBehind, STARTING } from './http/app.ts';
import { applyOver } from './http/apply.ts';
import { isLoopback } from './http/guards.ts';
import { isPortTaken, type Listening, listen } from './http/listen.ts';
import { Live } from './http/live/live.ts';
import { Metrics } from './http/metrics.ts';
import { Operator } from './http/operator.ts';
import { Past } from './http/past/past.ts';
import { compare } from './mesh/apply.ts';
import { entriesOf } from './mesh/entries.ts';
import { type Mesh, readMesh } from './mesh/folder.ts';
import { createInputs } from './mesh/inputs.ts';
import { play } from './play/play.ts';
import type { Clock } from './play/stage.ts';
import type { Watcher } from './seat/run.ts';
import { removeServeFile, writeServeFile } from './serve-file.ts';
import type { Settings } from './settings.ts';

/** A seat that runs. */
export interface RunningSeat extends SeatBehind {
  onProgress(hear: (line: string) => void): void;
  watch(watcher: Watcher): void;
  stop(): Promise<void>;
}

export type RunSeat = (parts: {
  readonly bus: Bus;
  readonly settings: Settings;
  readonly instance: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly router: Settings['router'];
}) => Promise<RunningSeat>;

export interface ServeParts {
  readonly settings: Settings;
  readonly instance: string;
  readonly pid: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly json: boolean;
  openBus(): Promise<Bus>;
  /** Another connection to the same bus, with the operator's rights; `undefined` where the bus has but one. */
  readonly openOperator: (() => Promise<Bus>) | undefined;
  /** Where the built page is. */
  readonly page: string;
  readonly runSeat: RunSeat;
  newId(): string;
  out(text: string): void;
  say(line: string): void;
  /** Settles when the process is told to stop. */
  readonly stopped: Promise<void>;
}

type Ends = (() => Promise<void> | void)[];

const HOST = '127.0.0.1';
const PORT = 7373;

/** Runs the seat and all that stands around it until it is told to stop, then ends each in the opposite order. */
export async function serve(parts: ServeParts): Promise<void> {
  const { settings } = parts;
  if (settings.play && settings.mesh === undefined) throw new Failure('usage', '--play: expected --mesh DIR, the mesh to play');
  refuseStrangers(settings);
  const mesh = settings.mesh === undefined ? undefined : readMesh(settings.mesh);
  const ends: Ends = [];
  try {
    await start(parts, mesh, ends);
    await parts.stopped;
    parts.say('stopping');
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

async function start(parts: ServeParts, mesh: Mesh | undefined, ends: Ends): Promise<void> {
  const { settings, clock, newId, say } = parts;
  const bus = await parts.openBus().catch((cause: Error) => {
    throw new Failure('failed', cause.message, { cause });
  });
  ends.push(() => bus.close());
  let seat: RunningSeat | undefined;
  const token = settings.tokenFile === undefined ? randomBytes(24).toString('base64url') : tokenIn(settings.tokenFile);
  const apply = applyOver(bus, newId, clock.now);
  const live = new Live({ bus: bus.where, clock: systemClock, now: clock.now });
  ends.push(() => live.stop());
  const operator = parts.openOperator === undefined ? undefined : new Operator(parts.openOperator);
  ends.push(() => operator?.stop());
  const act: Operator['act'] = async (verb, request) => operator?.act(verb, request) ?? seat?.call(verb, request) ?? STARTING;
  const inspected = { live, ...readJournal(bus, settings), folder: parts.page };
  const metrics = new Metrics(() => seat, clock.now);
  ends.push(bus.onConnection((isConnected) => metrics.connected(isConnected)));
  const app = httpApp({ seat: () => seat, act, apply, metrics, token, anywhere: settings.httpAnywhere, inspected });
  const { url, close } = await listening(parts, app);
  ends.push(close);
  parts.out(parts.json ? JSON.stringify({ url, token }) : url);
  if (settings.tokenFile === undefined) say(`token for words that act: ${token}`);
  if (bus.kind === 'embedded') {
    await writeServeFile(settings.state, { url, token, pid: parts.pid });
    ends.push(() => removeServeFile(settings.state));
  }
  say(`on the bus ${bus.where}`);
  await fillBus(parts, bus, mesh);

  seat = await parts.runSeat({ bus, settings, instance: parts.instance, clock, log: parts.log, router: settings.router });
  ends.push(seat.stop);
  seat.onProgress(say);
  seat.watch(live);
  seat.watch(metrics);
  if (settings.play && mesh !== undefined) ends.push(play({ bus, clock, newId, say }, Object.keys(mesh.nodes)));
}

function readJournal(bus: Bus, settings: Settings) {
  async function* records(from: number) {
    const journal = await Journal.open(bus, systemClock, 0);
    yield* journal.records(from);
  }
  return { records, past: new Past(settings, bus.where, records) };
}

/** Nobody else writes the embedded bus, so its input buckets are made there unasked. */
async function fillBus({ settings, clock, newId, say }: ServeParts, bus: Bus, mesh: Mesh | undefined): Promise<void> {
  if (settings.createInputs || bus.kind === 'embedded') {
    for (const bucket of await createInputs(bus)) say(`made bucket ${bucket}`);
  }
  if (mesh === undefined) return;
  const { changes, perform } = await compare(bus, mesh.name, entriesOf(mesh), newId);
  say(changes.length === 0 ? `mesh ${mesh.name}: nothing to change` : changeWords(changes));
  await perform(new Date(clock.now()).toISOString());
}

/** The usual port, or a free one where that is taken; a port that was asked for must be had. */
async function listening({ settings, say }: ServeParts, app: ReturnType<typeof httpApp>): Promise<Listening> {
  if (settings.http !== undefined) return listen(app, hostOf(settings.http), Number(settings.http.split(':').at(-1)));
  try {
    return await listen(app, HOST, PORT);
  } catch (error) {
    if (!isPortTaken(error)) throw error;
    say(`port ${PORT} is in use by another process: a free one is taken`);
    return listen(app, HOST, 0);
  }
}

function refuseStrangers({ http, httpAnywhere }: Settings): void {
  if (http === undefined || httpAnywhere || isLoopback(hostOf(http))) return;
  throw new Failure('usage', `--http ${http}: ${hostOf(http)} is not loopback; expected 127.0.0.1:PORT, or --http-anywhere beside it`);
}

function hostOf(http: string): string {
  return http.slice(0, http.lastIndexOf(':'));
}

function tokenIn(file: string): string {
  let token: string;
  try {
    token = readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new Failure('usage', `--token-file ${file}: cannot be read: ${(cause as Error).message}`, { cause });
  }
  if (token === '') throw new Failure('usage', `--token-file ${file}: found nothing, expected a token`);
  return token;
}
