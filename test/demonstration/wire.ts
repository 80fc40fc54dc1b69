/**
 * A mesh on a NATS server as a program sees it that knows the wire alone: buckets, keys, JSON and verbs. It imports nothing of this project.
 */
import { connect, type JetStreamClient, type KV, type NatsConnection } from 'nats';

const GIVEN_UP_AFTER_MS = 60_000;
const LOOK_EVERY_MS = 20;
const VERB_WITHIN_MS = 10_000;

export type Json = Record<string, unknown>;

export class Wire {
  readonly #kvs = new Map<string, Promise<KV>>();

  private constructor(
    private readonly connection: NatsConnection,
    private readonly stream: JetStreamClient,
  ) {}

  static async to(url: string): Promise<Wire> {
    const connection = await connect({ servers: url });
    return new Wire(connection, connection.jetstream());
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  async make(bucket: string): Promise<void> {
    await this.stream.views.kv(bucket, { history: 1 });
  }

  async put(bucket: string, key: string, value: Json): Promise<void> {
    await this.write(bucket, key, JSON.stringify(value));
  }

  /** Puts what may be no JSON, under a key that may be out of shape. */
  async write(bucket: string, key: string, text: string): Promise<void> {
    await this.stream.publish(`$KV.${bucket}.${key}`, text);
  }

  async delete(bucket: string, key: string): Promise<void> {
    await (await this.#kv(bucket)).delete(key);
  }

  async get<T = Json>(bucket: string, key: string): Promise<T | undefined> {
    const entry = await (await this.#kv(bucket)).get(key);
    return entry === null || entry.operation !== 'PUT' ? undefined : entry.json<T>();
  }

  async all<T = Json>(bucket: string): Promise<Map<string, T>> {
    const keys = new Set<string>();
    for await (const key of await (await this.#kv(bucket)).keys()) keys.add(key);
    const entries = new Map<string, T>();
    for (const key of [...keys].sort()) {
      const value = await this.get<T>(bucket, key);
      if (value !== undefined) entries.set(key, value);
    }
    return entries;
  }

  /** Calls with every value of a bucket that comes from now on, `undefined` where it was deleted. */
  async follow(bucket: string, hear: (key: string, value: Json | undefined) => void): Promise<void> {
    const entries = await (await this.#kv(bucket)).watch();
    void (async () => {
      for await (const entry of entries) hear(entry.key, entry.operation === 'PUT' ? entry.json<Json>() : undefined);
    })();
  }

  /** Asks a verb. Throws where the service answers with an error. */
  async ask<T = Json>(verb: string, request: Json): Promise<T> {
    const answer = await this.connection.request(verb, JSON.stringify(request), { timeout: VERB_WITHIN_MS });
    const code = answer.headers?.get('Nats-Service-Error-Code');
    if (code) throw new Error(`${verb}: ${code} ${answer.headers?.get('Nats-Service-Error')}`);
    return answer.json<T>();
  }

  #kv(bucket: string): Promise<KV> {
    const bound = this.#kvs.get(bucket) ?? this.stream.views.kv(bucket, { bindOnly: true });
    this.#kvs.set(bucket, bound);
    return bound;
  }
}

export async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  const givenUp = performance.now() + GIVEN_UP_AFTER_MS;
  while (!(await holds())) {
    if (performance.now() > givenUp) throw new Error(`waited in vain: ${what}`);
    await new Promise((done) => setTimeout(done, LOOK_EVERY_MS));
  }
}
