import type { Verb } from '../bus/contracts/verbs.ts';
import { type Bus, BusError, type ServiceReply } from '../bus/port.ts';

const ANSWER_MS = 10_000;

/** Words that act, on a connection of their own: it has the operator's rights and not the seat's, and is opened at the first word. */
export class Operator {
  #bus: Promise<Bus> | undefined;

  constructor(private readonly open: () => Promise<Bus>) {}

  async act(verb: Verb, request: unknown): Promise<ServiceReply> {
    try {
      this.#bus ??= this.open();
      return await (await this.#bus).request(verb, JSON.stringify(request), ANSWER_MS);
    } catch (error) {
      if (!(error instanceof BusError)) throw error;
      if (error.code === 'unreachable') this.#bus = undefined;
      return { ok: false, code: CODES[error.code] ?? 503, says: `${verb} found no answer: ${error.message}` };
    }
  }

  async stop(): Promise<void> {
    await (await this.#bus?.catch(() => undefined))?.close();
  }
}

const CODES: Partial<Record<BusError['code'], number>> = { permission: 403, timeout: 504, 'too-large': 413 };
