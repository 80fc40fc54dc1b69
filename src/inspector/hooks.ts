import { useEffect, useState } from 'preact/hooks';
import { type State, store } from './store.ts';

/** A part of what the page knows; draws again only where that part is another one. */
export function useStore<T>(select: (state: State) => T): T {
  const [part, setPart] = useState(() => select(store.state));
  useEffect(() => {
    const hear = () => setPart(() => select(store.state));
    hear();
    return store.listen(hear);
  }, []);
  return part;
}

/** The seat's time of day, again every so many milliseconds. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => store.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(store.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
