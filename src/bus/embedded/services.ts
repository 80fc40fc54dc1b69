import { answering } from '../answering.ts';
import type { Clock } from '../clock.ts';
import { BusError, type Endpoint, type Service, type ServiceReply } from '../port.ts';

/** Request and reply inside this process. The service that came first answers where several serve a subject. */
export class Services {
  readonly #services = new Set<Service>();

  constructor(private readonly clock: Clock) {}

  serve(service: Service): () => void {
    const entry = { ...service };
    this.#services.add(entry);
    return () => this.#services.delete(entry);
  }

  /** Throws {@link BusError} `no-responders` or `timeout`. */
  async request(subject: string, text: string, timeoutMs: number): Promise<ServiceReply> {
    const endpoint = this.#endpoint(subject);
    if (endpoint === undefined) throw new BusError('no-responders', `nobody serves ${subject}`);
    let cancel = () => {};
    const timeout = new Promise<never>((_, fail) => {
      cancel = this.clock.after(timeoutMs, () => fail(new BusError('timeout', `${subject} did not answer within ${timeoutMs} ms`)));
    });
    try {
      return await Promise.race([answering(endpoint, text, subject), timeout]);
    } finally {
      cancel();
    }
  }

  #endpoint(subject: string): Endpoint | undefined {
    for (const service of this.#services) {
      const found = service.endpoints.find((endpoint) => covers(endpoint.subject, subject));
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** Whether a subject falls under a pattern with `*` for one token. */
function covers(pattern: string, subject: string): boolean {
  const wanted = pattern.split('.');
  const given = subject.split('.');
  return wanted.length === given.length && wanted.every((token, index) => token === '*' || token === given[index]);
}
