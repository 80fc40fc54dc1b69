import { type Bus, BusError, type Watch } from '../bus/port.ts';
import { Subscribing } from '../bus/subscribing.ts';

/** Time as the players have it. */
export interface Clock {
  now(): number;
  /** Calls back once, after so many milliseconds; returns how to call it off. */
  after(milliseconds: number, call: () => void): () => void;
}

/** What every player stands on. */
export interface Stage {
  readonly bus: Bus;
  readonly clock: Clock;
  /** Gives one id a write. */
  newId(): string;
  /** Says to people what a player just did. */
  say(line: string): void;
}

const RETRY_MS = 1_000;

/** Tells of every entry of a bucket, and of each again after the watch was lost and found (L1). Returns how to stop. */
export function follow({ bus, clock }: Stage, bucket: string, hear: (key: string, text: string | undefined) => void): () => void {
  let watch: Watch | undefined;
  let stopped = false;
  const hearAll = async (): Promise<void> => {
    try {
      watch = await bus.watch(bucket);
      if (stopped) return watch.stop();
      subscribing.stood();
      for await (const entry of watch) if (!stopped) hear(entry.key, entry.text);
    } catch (error) {
      if (!(error instanceof BusError)) throw error;
    }
    if (!stopped) subscribing.ended();
  };
  const subscribing = new Subscribing({
    clock,
    onServing: (listener) => bus.onConnection(listener),
    subscribe: () => void hearAll(),
    // The watch ends by itself.
    lost: () => {},
  });
  subscribing.start();
  return () => {
    stopped = true;
    subscribing.stop();
    watch?.stop();
  };
}

/**
 * Looks at a key whenever told to: one look at a time, and once more where it was told meanwhile. A look reads what stands, does the next
 * step, and returns in how many milliseconds to look again.
 */
export function looker({ clock }: Stage, look: (key: string) => Promise<number | undefined>) {
  const waiting = new Map<string, () => void>();
  const running = new Map<string, { again: boolean }>();
  let stopped = false;

  const run = async (key: string): Promise<void> => {
    if (stopped) return;
    const turn = running.get(key);
    if (turn !== undefined) {
      turn.again = true;
      return;
    }
    waiting.get(key)?.();
    waiting.delete(key);
    const own = { again: false };
    running.set(key, own);
    const after = await look(key).catch((error: unknown) => {
      if (error instanceof BusError) return RETRY_MS;
      throw error;
    });
    running.delete(key);
    if (own.again) await run(key);
    else if (after !== undefined && !stopped)
      waiting.set(
        key,
        clock.after(after, () => void run(key)),
      );
  };
  return {
    look: (key: string) => void run(key),
    stop: () => {
      stopped = true;
      for (const cancel of waiting.values()) cancel();
    },
  };
}

/** Writes JSON where the entry has the expected revision, or deletes it where there is no value; a lost race is looked at again. */
export async function write({ bus, newId }: Stage, bucket: string, key: string, value: object | undefined, expected: number) {
  const how = { id: newId(), epoch: 0, expected };
  const result = value === undefined ? await bus.delete(bucket, key, how) : await bus.put(bucket, key, JSON.stringify(value), how);
  return result.done;
}

export const AGAIN_MS = RETRY_MS;
