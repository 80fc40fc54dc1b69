import { z } from 'zod';
import { encodeToken } from './contracts/tokens.ts';
import { type AnswerOf, type RequestOf, type Verb, verbs } from './contracts/verbs.ts';
import type { Endpoint, Service, ServiceReply } from './port.ts';

/** Why a verb does not do what it was asked: 403 not yours, 404 no such, 409 not in that state, 423 gate shut, 429 too many, 503 not the holder. */
export class Refusal {
  constructor(
    readonly code: 400 | 403 | 404 | 409 | 423 | 429 | 503,
    readonly says: string,
  ) {}
}

export type VerbHandlers = { readonly [V in Verb]?: (request: RequestOf<V>) => Promise<AnswerOf<V> | Refusal> };

type Handler = (request: unknown) => Promise<unknown>;

const DESCRIPTIONS = {
  'mesh-provisioner': 'Works out every provision of every program of the mesh, and says how each stands and why.',
  'mesh-router': 'Keeps the questions to the operator, and the answers.',
};

/** Endpoints as operators know them, where that is not the verb's last token. */
const NAMES: Readonly<Record<string, string>> = {
  'mesh-provisioner.compose': 'provisioner_compose',
  'mesh-provisioner.health': 'provisioner_health',
};

const RAISE = 'mesh-router.raise';

/**
 * The services that serve these verbs (V1): a request out of schema is refused with 400, a handler that fails is a 500 and told to
 * `onFault`. Raising is also served at `mesh-router.raise.<asker>`, for that asker alone.
 */
export function verbServices(handlers: VerbHandlers, version: string, onFault: (verb: Verb, error: unknown) => void): Service[] {
  const served = (Object.keys(handlers) as Verb[]).map((verb) => ({ verb, handle: handlers[verb] as Handler }));
  return Object.entries(DESCRIPTIONS).flatMap(([name, description]) => {
    const endpoints = served
      .filter(({ verb }) => verb.startsWith(`${name}.`))
      .flatMap(({ verb, handle }) => endpointsOf(verb, handle, (error) => onFault(verb, error)));
    return endpoints.length === 0 ? [] : [{ name, version, description, endpoints }];
  });
}

function endpointsOf(verb: Verb, handler: Handler, onFault: (error: unknown) => void): Endpoint[] {
  const { request, answer } = verbs[verb];
  const metadata = { request: JSON.stringify(z.toJSONSchema(request, { io: 'input' })), answer: JSON.stringify(z.toJSONSchema(answer)) };
  const handle = async (text: string, subject: string): Promise<ServiceReply> => {
    const asked = read(verb, text);
    if (asked instanceof Refusal) return refuse(asked);
    if (verb === RAISE && subject !== RAISE && !isOf(asked, subject))
      return refuse(new Refusal(403, `${subject} raises for that asker alone`));
    try {
      const answered = await handler(asked);
      return answered instanceof Refusal ? refuse(answered) : { ok: true, text: JSON.stringify(answered) };
    } catch (error) {
      onFault(error);
      return { ok: false, code: 500, says: `${verb} failed; the log of the seat says why` };
    }
  };
  const plain = { name: NAMES[verb] ?? verb.slice(verb.lastIndexOf('.') + 1), subject: verb, metadata, handle };
  return verb === RAISE ? [plain, { ...plain, name: 'raise_as', subject: `${RAISE}.*` }] : [plain];
}

/** No text at all is `{}`: that is what `nats req` sends unless told otherwise. */
function read(verb: Verb, text: string): unknown {
  let json: unknown;
  try {
    json = text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    return new Refusal(400, `${verb}: the request is no JSON: expected an object, such as {}`);
  }
  const parsed = verbs[verb].request.safeParse(json);
  return parsed.success ? parsed.data : new Refusal(400, `${verb}: ${parsed.error.issues.map(issueOf).join('; ')}`);
}

function issueOf({ path, message }: z.core.$ZodIssue): string {
  return `${path.length === 0 ? 'the request' : path.join('.')}: ${message}`;
}

/** Whether a request's asker is the one its subject names. */
function isOf(asked: unknown, subject: string): boolean {
  return encodeToken((asked as RequestOf<typeof RAISE>).asker) === subject.slice(RAISE.length + 1);
}

function refuse({ code, says }: Refusal): ServiceReply {
  return { ok: false, code, says };
}
