import { type NatsConnection, nuid, ServiceError, type ServiceMsg } from 'nats';
import { answering } from '../answering.ts';
import { assertFits } from '../limits.ts';
import { BusError, type Endpoint, type Service, type ServiceReply } from '../port.ts';
import { busError } from './errors.ts';

/** Serves endpoints in a queue group of this call's own, so that a holder's requests never go to another instance (E4). */
export async function serve(connection: NatsConnection, { name, version, description, endpoints }: Service): Promise<() => Promise<void>> {
  const service = await connection.services.add({ name, version, description, queue: nuid.next() });
  for (const endpoint of endpoints) {
    const { subject, metadata } = endpoint;
    service.addEndpoint(endpoint.name, { subject, metadata, handler: (_, message) => void reply(endpoint, message) });
  }
  await connection.flush();
  if (service.isStopped) throw busError(`serve ${name}`, (await service.stopped) ?? new Error('the connection was closed'));
  return async () => void (await service.stop());
}

async function reply(endpoint: Endpoint, message: ServiceMsg): Promise<void> {
  const answer = await answering(endpoint, message.string(), message.subject);
  if (answer.ok) message.respond(answer.text);
  else message.respondError(answer.code, answer.says);
}

export async function request(connection: NatsConnection, subject: string, text: string, timeoutMs: number): Promise<ServiceReply> {
  assertFits(subject, text);
  try {
    const message = await connection.request(subject, text, { timeout: timeoutMs });
    const refusal = ServiceError.toServiceError(message);
    return refusal === null ? { ok: true, text: message.string() } : { ok: false, code: refusal.code, says: refusal.message };
  } catch (cause) {
    const error = busError(`ask ${subject}`, cause);
    if (error.code === 'no-responders') throw new BusError('no-responders', `nobody serves ${subject}`, { cause });
    if (error.code === 'timeout') throw new BusError('timeout', `${subject} did not answer within ${timeoutMs} ms`, { cause });
    throw error;
  }
}
