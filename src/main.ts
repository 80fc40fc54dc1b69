#!/usr/bin/env node
import { randomBytes, randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { destination, pino } from 'pino';
import { EmbeddedBus } from './bus/embedded/embedded-bus.ts';
import { connect as connectNats } from './bus/nats/connect.ts';
import type { Bus } from './bus/port.ts';
import { busClient } from './cli/bus-client.ts';
import { httpClient } from './cli/http-client.ts';
import { type Edge, run } from './cli/program.ts';
import type { SeatClient } from './cli/seat-client.ts';
import { coloured, plain } from './cli/terminal.ts';
import { Failure } from './failure.ts';
import { readServeFile } from './serve-file.ts';
import type { Settings } from './settings.ts';
import { systemClock as clock } from './system-clock.ts';

const STOP_MS = 5_000;
/** A terminal and the programs between it and this one may each pass one keypress on. */
const ECHO_MS = 250;

const edge: Edge = {
  environment: process.env,
  terminal: {
    out: (text) => void process.stdout.write(`${text}\n`),
    say: (text) => void process.stderr.write(`${text}\n`),
    paint: wantsColour() ? coloured : plain,
  },
  login: userInfo().username,
  now: clock.now,
  connect,
  simulate: async (parts) => (await import('./simulate/simulate.ts')).simulate({ ...parts, newBus: EmbeddedBus.inMemory }),
  serve: async (settings, json) =>
    (await import('./serve.ts')).serve({
      settings,
      json,
      clock,
      runSeat: async (parts) => (await import('./seat/run.ts')).runSeat(parts),
      instance: `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`,
      pid: process.pid,
      log: pino({ level: 'warn' }, destination(2)),
      openBus: () => (settings.bus === 'embedded' ? EmbeddedBus.open(settings.state) : openNats(settings)),
      openOperator: settings.bus === 'embedded' ? undefined : () => openNats({ ...settings, ...operatorOf(settings) }),
      page: join(import.meta.dirname, '../dist/inspector'),
      newId: randomUUID,
      out: edge.terminal.out,
      say: edge.terminal.say,
      stopped: untilSignal(),
    }),
};

process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await run(process.argv.slice(2), edge);

async function connect(settings: Settings, timeoutMs: number): Promise<SeatClient> {
  if (settings.bus !== 'embedded') return busClient(await openNats(settings), timeoutMs, randomUUID, clock.now);
  const running = await readServeFile(settings.state);
  if (running !== undefined) return httpClient(running, timeoutMs);
  throw new Failure(
    'no-seat',
    `no seat runs on ${settings.state}: start one with mesh-provisioner serve, or name its folder with --state, or its bus with --bus`,
  );
}

function openNats({ bus, credentials }: Settings): Promise<Bus> {
  return connectNats(bus, { name: 'mesh-provisioner', ...(credentials === undefined ? {} : { credentials }) });
}

/** Words that act have the seat's own credentials where no others are given. */
function operatorOf({ operatorCredentials: credentials }: Settings) {
  return credentials === undefined ? {} : { credentials };
}

/** The first signal stops in order, within a deadline; a second one ends at once. */
function untilSignal(): Promise<void> {
  return new Promise((stop) => {
    let firstAt: number | undefined;
    const hear = () => {
      if (firstAt !== undefined && performance.now() - firstAt > ECHO_MS) process.exit(1);
      if (firstAt !== undefined) return;
      firstAt = performance.now();
      setTimeout(endAnyway, STOP_MS).unref();
      stop();
    };
    process.on('SIGINT', hear);
    process.on('SIGTERM', hear);
  });
}

function endAnyway(): void {
  edge.terminal.say(`error: not everything had ended within ${STOP_MS / 1000} s, so it was left where it stood`);
  process.exit(1);
}

function wantsColour(): boolean {
  const { NO_COLOR, TERM } = process.env;
  return process.stdout.isTTY === true && (NO_COLOR === undefined || NO_COLOR === '') && TERM !== 'dumb';
}
