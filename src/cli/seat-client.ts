import { type AnswerOf, type RequestOf, type Verb, verbs } from '../bus/contracts/verbs.ts';
import type { ServiceReply } from '../bus/port.ts';
import { Failure, type FailureKind } from '../failure.ts';
import type { Change } from '../mesh/apply.ts';
import type { MeshEntry } from '../mesh/entries.ts';

/** What publishing a folder would change, and how to make it so. */
export interface Publishing {
  readonly changes: readonly Change[];
  perform(): Promise<void>;
}

/** The running seat, wherever it is. Everything but an answer is thrown as a {@link Failure} with its exit code. */
export interface SeatClient {
  call<V extends Verb>(verb: V, request: RequestOf<V>): Promise<AnswerOf<V>>;
  publish(mesh: string, entries: readonly MeshEntry[]): Promise<Publishing>;
  close(): Promise<void>;
}

const kinds: Readonly<Record<number, FailureKind>> = {
  400: 'usage',
  401: 'refused',
  403: 'refused',
  404: 'no-such',
  409: 'refused',
  423: 'refused',
  429: 'refused',
  503: 'no-seat',
};

/** A verb's answer as the seat gave it, or the failure that its code means. */
export function answerOf<V extends Verb>(verb: V, reply: ServiceReply): AnswerOf<V> {
  const answer = valueOfReply(reply);
  const checked = verbs[verb].answer.safeParse(answer);
  if (checked.success) return answer as AnswerOf<V>;
  const { path, message } = checked.error.issues[0]!;
  throw new Failure('failed', `${verb} answered out of schema at ${path.join('.')}: ${message}`);
}

/** What a reply holds, or the failure that its code means. */
export function valueOfReply(reply: ServiceReply): unknown {
  if (!reply.ok) throw new Failure(kinds[reply.code] ?? 'failed', reply.says);
  return JSON.parse(reply.text);
}
