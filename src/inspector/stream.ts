import type { Away, Frame, Present } from '../http/live/frames.ts';
import { store } from './store.ts';

/** The seat speaks every two seconds; after so long without a word it counts as lost. */
const SILENCE_MS = 6_000;
const AGAIN_MS = [500, 1_000, 2_000, 4_000];

/** Follows the seat for as long as the page is open: what was missed while it was away comes first. */
export function follow(): void {
  let lastId = '';
  let tries = 0;
  let silence = 0;

  const open = () => {
    const source = new EventSource(lastId === '' ? '/events' : `/events?after=${encodeURIComponent(lastId)}`);
    const lost = () => {
      source.close();
      clearTimeout(silence);
      const { link } = store.state;
      if (link.is !== 'lost') store.link({ is: 'lost', since: store.now() });
      setTimeout(open, AGAIN_MS[Math.min(tries, AGAIN_MS.length - 1)]);
      tries += 1;
    };
    const hear = (event: string, take: (data: never) => void) =>
      source.addEventListener(event, (message: MessageEvent<string>) => {
        if (message.lastEventId !== '') lastId = message.lastEventId;
        tries = 0;
        clearTimeout(silence);
        silence = window.setTimeout(lost, SILENCE_MS);
        take(JSON.parse(message.data) as never);
      });
    silence = window.setTimeout(lost, SILENCE_MS);
    source.addEventListener('error', lost);
    const shown = (present: Present) => {
      store.present(present);
      store.link({ is: 'live' });
    };
    hear('beat', ({ now }: { now: number }) => store.heardTime(now));
    hear('reset', shown);
    hear('present', shown);
    hear('turn', (frame: Frame) => store.turn(frame));
    hear('away', (away: Away) => store.link({ is: 'away', ...away }));
  };
  open();
}
