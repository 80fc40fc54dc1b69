import { useNow } from './hooks.ts';

const STEPS: readonly [string, number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
];

/** A time as "3 min ago", with the exact one on hover. */
export function Ago({ at }: { at: number | string }) {
  const time = typeof at === 'number' ? at : Date.parse(at);
  const now = useNow(1_000);
  return (
    <time class="time" dateTime={new Date(time).toISOString()} title={new Date(time).toISOString()}>
      {time > now + 1_000 ? `in ${lasting(time - now)}` : `${lasting(now - time)} ago`}
    </time>
  );
}

/** A span in its largest unit, such as `3 min`. */
export function lasting(ms: number): string {
  const [unit, size] = STEPS.find(([, size]) => ms >= size) ?? ['s', 1_000];
  return `${Math.max(0, Math.floor(ms / size))} ${unit}`;
}

/** The time of day, such as `22:55:58`, in the reader's zone. */
export function clockTime(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB');
}

/** A moment such as `2 Nov 22:55:58`, in the reader's zone. */
export function moment(at: number): string {
  const day = new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
  return `${day} ${clockTime(at)}`;
}
