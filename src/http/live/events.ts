import type { Context } from 'hono';
import type { Follower, Live } from './live.ts';

/** What one page may leave unread: beyond it gets the present instead of what it missed. */
const UNREAD_BYTES_MAX = 8 * 1024 * 1024;

/** `/events`: the stream of the seat, resumed by `Last-Event-ID`, or by `after` where a page opens it anew by itself. */
export function events(context: Context, live: Live): Response {
  const reader = new Reader();
  const lastId = context.req.header('last-event-id') ?? context.req.query('after');
  const stop = live.follow(reader, lastId);
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => controller.enqueue(await reader.next(() => live.again(reader))),
    cancel: stop,
  });
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  });
}

/** Keeps for one page what it has not read yet. */
class Reader implements Follower {
  readonly #encoder = new TextEncoder();
  #unread: string[] = [];
  #bytes = 0;
  #isBehind = false;
  #wake = () => {};

  send(message: string): void {
    if (this.#isBehind) return;
    this.#unread.push(message);
    this.#bytes += message.length;
    if (this.#unread.length > 1 && this.#bytes > UNREAD_BYTES_MAX) {
      this.#isBehind = true;
      this.#unread = [];
    }
    this.#wake();
  }

  /** Everything there is to read, as soon as there is any. */
  async next(catchUp: () => void): Promise<Uint8Array> {
    if (this.#isBehind) {
      this.#isBehind = false;
      this.#bytes = 0;
      catchUp();
    }
    while (this.#unread.length === 0) {
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
    const text = this.#unread.join('');
    this.#unread = [];
    this.#bytes = 0;
    return this.#encoder.encode(text);
  }
}
