import { type Bus, BusError } from '../bus/port.ts';
import { Failure, type FailureKind } from '../failure.ts';
import { compare } from '../mesh/apply.ts';
import { answerOf, type SeatClient } from './seat-client.ts';

/** Reaches the seat by its verbs on a bus, and publishes to the bus itself. */
export function busClient(bus: Bus, timeoutMs: number, newId: () => string, now: () => number): SeatClient {
  return {
    call: async (verb, request) => {
      const reply = await bus.request(verb, JSON.stringify(request), timeoutMs).catch((error: unknown) => {
        throw failureOf(error, bus.where);
      });
      return answerOf(verb, reply);
    },
    publish: async (mesh, entries) => {
      const { changes, perform } = await compare(bus, mesh, entries, newId);
      return { changes, perform: () => perform(new Date(now()).toISOString()) };
    },
    close: () => bus.close(),
  };
}

/** A bus's error as a command's end. */
export function failureOf(error: unknown, where: string): unknown {
  if (!(error instanceof BusError)) return error;
  const says =
    error.code === 'no-responders' ? `no seat answers on ${where}: start one with mesh-provisioner serve --bus ${where}` : error.message;
  return new Failure(kinds[error.code] ?? 'failed', says, { cause: error });
}

const kinds: Partial<Record<BusError['code'], FailureKind>> = {
  unreachable: 'no-seat',
  'no-responders': 'no-seat',
  timeout: 'timed-out',
  permission: 'refused',
};
