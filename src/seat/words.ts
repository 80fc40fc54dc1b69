import type { RequestOf, Verb } from '../bus/contracts/verbs.ts';
import { verbs } from '../bus/contracts/verbs.ts';
import { Refusal, type VerbHandlers } from '../bus/verb-services.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { KernelReply } from '../kernel/reply.ts';
import { read } from '../kernel/words-that-read.ts';
import type { Turn } from './turn.ts';

const ACT = new Set<Verb>([
  'mesh-provisioner.compose',
  'mesh-provisioner.reconsider',
  'mesh-provisioner.accept',
  'mesh-router.raise',
  'mesh-router.end',
  'mesh-router.answer',
]);

/** A word that acts goes into the journal, and what it asks for onto the bus. */
const WORD_BYTES_MAX = 512 * 1024;

/** Answers the verbs: those that read from the state, those that act by a fact whose ticket finds the answer. */
export class Words {
  readonly #waiting = new Map<string, (reply: KernelReply) => void>();
  #tickets = 0;

  constructor(
    private readonly kernel: Kernel,
    private readonly turn: Pick<Turn, 'take'>,
    private readonly instance: string,
  ) {}

  handlers(router: 'builtin' | 'external'): VerbHandlers {
    const served = (Object.keys(verbs) as Verb[]).filter((verb) => router === 'builtin' || !verb.startsWith('mesh-router.'));
    return Object.fromEntries(served.map((verb) => [verb, (request: RequestOf<Verb>) => this.#answer(verb, request)])) as VerbHandlers;
  }

  reply(ticket: string, reply: KernelReply): void {
    this.#waiting.get(ticket)?.(reply);
    this.#waiting.delete(ticket);
  }

  /** Nobody waits for an answer that cannot come any more. */
  stop(): void {
    for (const ticket of [...this.#waiting.keys()]) this.reply(ticket, { ok: false, code: 503, says: 'this seat is no longer the holder' });
  }

  async #answer(verb: Verb, request: unknown): Promise<unknown> {
    const reply = ACT.has(verb) ? await this.#act(verb, request) : read(this.kernel, verb, request);
    return reply.ok ? reply.value : new Refusal(reply.code as Refusal['code'], reply.says);
  }

  async #act(verb: Verb, request: unknown): Promise<KernelReply> {
    const bytes = Buffer.byteLength(JSON.stringify(request));
    if (bytes > WORD_BYTES_MAX) return { ok: false, code: 400, says: `the request has ${bytes} bytes, ${WORD_BYTES_MAX} are allowed` };
    this.#tickets += 1;
    const ticket = `${this.instance}.${this.#tickets}`;
    return new Promise((answer) => {
      this.#waiting.set(ticket, answer);
      this.turn.take({ type: 'word', ticket, verb, request });
    });
  }
}
