import { Live } from '../../src/http/live/live.ts';
import type { Turned } from '../../src/seat/turn.ts';
import { ManualClock } from '../bus/manual-clock.ts';
import type { DrivenKernel } from '../kernel/driven-kernel.ts';

export interface Message {
  readonly id?: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was sent
  readonly data: any;
}

/** A stream over a driven kernel, as the seat would feed it. */
export function liveOver(mesh: DrivenKernel): { live: Live; clock: ManualClock } {
  const clock = new ManualClock();
  const live = new Live({ bus: 'a bus', clock, now: () => mesh.now });
  live.held(mesh.kernel);
  const step = mesh.kernel.step.bind(mesh.kernel);
  mesh.kernel.step = (sequence, record) => {
    const { facts, at } = record;
    const done = facts.flatMap((fact) => (fact.type === 'done' ? (mesh.kernel.owed.get(fact.effect) ?? []) : []));
    const stepped = step(sequence, record);
    live.turned({ sequence, at, facts, done, ...stepped } satisfies Turned);
    return stepped;
  };
  return { live, clock };
}

/** Follows from a place, or from the present; the messages come as they are sent. */
export function follow(live: Live, lastId?: string) {
  const messages: Message[] = [];
  const follower = { send: (text: string) => void messages.push(...messagesIn(text)) };
  const stop = live.follow(follower, lastId);
  return { messages, stop, of: (event: string) => messages.filter((message) => message.event === event) };
}

export function messagesIn(text: string): Message[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]));
      return { ...(fields.id === undefined ? {} : { id: fields.id }), event: fields.event ?? '', data: JSON.parse(fields.data ?? 'null') };
    });
}
