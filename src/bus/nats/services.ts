import { type Endpoint as Listed, type NatsConnection, type Service as NatsService, nuid, ServiceError, type ServiceMsg } from 'nats';
import { answering } from '../answering.ts';
import { assertFits } from '../limits.ts';
import { BusError, type Endpoint, type Service, type ServiceReply } from '../port.ts';
import { busError } from './errors.ts';

const AGAIN_AFTER_MS = 1_000;
const NS_PER_MS = 1_000_000;

/**
 * Serves endpoints as a discoverable NATS service (V1), in a queue group of this call's own, so that a holder's requests never go to
 * another instance (E4). Throws {@link BusError} `permission` where that is refused; refused later, it is tried until it is served again.
 */
export async function serve(connection: NatsConnection, service: Service): Promise<() => Promise<void>> {
  const served = new Served(connection, service);
  await served.start();
  void served.follow();
  return () => served.stop();
}

class Served {
  #service: NatsService | undefined;
  #isStopped = false;
  #again: NodeJS.Timeout | undefined;
  readonly #done = new Map<string, Done>();

  constructor(
    private readonly connection: NatsConnection,
    private readonly served: Service,
  ) {}

  async start(): Promise<void> {
    const { name, version, description, endpoints } = this.served;
    const statsHandler = async (endpoint: Listed) => this.#done.get(endpoint.subject)?.tell(endpoint);
    const service = await this.connection.services.add({ name, version, description, queue: nuid.next(), statsHandler });
    this.#service = service;
    for (const endpoint of endpoints) {
      const done = this.#done.get(endpoint.subject) ?? new Done();
      this.#done.set(endpoint.subject, done);
      const { subject, metadata } = endpoint;
      service.addEndpoint(endpoint.name, { subject, metadata, handler: (_, message) => void reply(endpoint, message, done) });
    }
    await this.connection.flush();
    if (service.isStopped) throw busError(`serve ${name}`, (await service.stopped) ?? new Error('the connection was closed'));
    void service.stopped.then(() => this.#startAgain());
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#again);
    await this.#service?.stop();
  }

  /** A right that is taken away while it serves: the client leaves the subscription as it is, though nothing comes any more. */
  async follow(): Promise<void> {
    for await (const { permissionContext: refused } of this.connection.status()) {
      if (this.#isStopped) return;
      if (refused?.operation === 'subscription' && this.#done.has(refused.subject)) await this.#service?.stop();
    }
  }

  /** The client ends a whole service for one refused subscription. */
  #startAgain(): void {
    if (this.#isStopped || this.connection.isClosed()) return;
    this.#again = setTimeout(() => {
      this.start().catch(() => this.#startAgain());
    }, AGAIN_AFTER_MS);
  }
}

interface Counted {
  readonly stats: {
    num_requests: number;
    num_errors: number;
    last_error?: string;
    processing_time: number;
    average_processing_time: number;
  };
}

/** What an endpoint did: the client counts only what happens before a handler's first `await`, so nothing of it. */
class Done {
  #requests = 0;
  #errors = 0;
  #lastError: string | undefined;
  #tookMs = 0;

  count(reply: ServiceReply, tookMs: number): void {
    this.#requests += 1;
    this.#tookMs += tookMs;
    if (reply.ok) return;
    this.#errors += 1;
    this.#lastError = `${reply.code}:${reply.says}`;
  }

  tell(endpoint: Listed): void {
    const { stats } = endpoint as unknown as Counted;
    stats.num_errors = this.#errors;
    stats.processing_time = Math.round(this.#tookMs * NS_PER_MS);
    stats.average_processing_time = this.#requests === 0 ? 0 : Math.round(stats.processing_time / this.#requests);
    if (this.#lastError !== undefined) stats.last_error = this.#lastError;
  }
}

/** Never rejects: a rejection here would end the process. */
async function reply(endpoint: Endpoint, message: ServiceMsg, done: Done): Promise<void> {
  const startedAt = performance.now();
  const answer = await answering(endpoint, message.string(), message.subject);
  done.count(answer, performance.now() - startedAt);
  const refused = sent(message, answer);
  if (refused !== undefined)
    sent(message, { ok: false, code: 500, says: `the answer of ${message.subject} could not be sent: ${refused}` });
}

/** Why it could not be: a server may be set to take less in one message than a bus has to. */
function sent(message: ServiceMsg, answer: ServiceReply): string | undefined {
  try {
    if (answer.ok) message.respond(answer.text);
    else message.respondError(answer.code, answer.says);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
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
