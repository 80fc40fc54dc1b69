import { z } from 'zod';
import type { ServiceReply } from '../bus/port.ts';
import { Failure } from '../failure.ts';
import { Change } from '../mesh/apply.ts';
import type { ServeFile } from '../serve-file.ts';
import { answerOf, type SeatClient, valueOfReply } from './seat-client.ts';

const Refusal = z.object({ code: z.int(), says: z.string() });
const Changes = z.object({ changes: z.array(Change) });

/** Reaches a `serve` on this machine over HTTP, as its state folder's file says. */
export function httpClient(running: ServeFile, timeoutMs: number): SeatClient {
  const apply = async (mesh: string, entries: unknown, dryRun: boolean) =>
    Changes.parse(valueOfReply(await post(running, 'apply', { mesh, entries, 'dry-run': dryRun }, timeoutMs))).changes;
  return {
    call: async (verb, request) => answerOf(verb, await post(running, verb, request, timeoutMs)),
    publish: async (mesh, entries) => ({
      changes: await apply(mesh, entries, true),
      perform: async () => void (await apply(mesh, entries, false)),
    }),
    close: async () => {},
  };
}

async function post({ url, token, pid }: ServeFile, name: string, request: unknown, timeoutMs: number): Promise<ServiceReply> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const call = { method: 'POST', headers, body: JSON.stringify(request), signal: AbortSignal.timeout(timeoutMs) };
  try {
    const response = await fetch(`${url}/api/${name}`, call);
    const text = await response.text();
    if (response.ok) return { ok: true, text };
    if (response.status === 401)
      throw new Failure('no-seat', `${url} is not the seat that wrote its address (process ${pid}): start serve again`);
    const refusal = Refusal.safeParse(JSON.parse(text));
    return { ok: false, code: response.status, says: refusal.data?.says ?? text };
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    if ((cause as Error).name === 'TimeoutError') throw new Failure('timed-out', `${url} did not answer within ${timeoutMs} ms`, { cause });
    throw new Failure('no-seat', `no seat answers at ${url} (process ${pid} wrote that address): start one with mesh-provisioner serve`, {
      cause,
    });
  }
}
