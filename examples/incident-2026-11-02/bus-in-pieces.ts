import type { Bus, BusEntry, Watch } from '../../src/bus/port.ts';

/** A bus as a new member may find it: its streams are whole, and its watches bring some entries now and the rest later. */
export interface BusInPieces {
  readonly bus: Bus;
  /** What the watches have brought so far, by bucket and key. */
  readonly brought: ReadonlyMap<string, BusEntry>;
  /** Brings the rest. */
  release(): void;
}

/** From the first late entry on a watch stands still until it is released. */
export function busInPieces(whole: Bus, isLate: (bucket: string, key: string) => boolean): BusInPieces {
  const brought = new Map<string, BusEntry>();
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  const watch: Bus['watch'] = async (bucket, options) => {
    const inner = await whole.watch(bucket, options);
    async function* entries() {
      for await (const entry of inner) {
        if (isLate(bucket, entry.key)) await released;
        brought.set(`${bucket} ${entry.key}`, entry);
        yield entry;
      }
    }
    return { stop: () => inner.stop(), [Symbol.asyncIterator]: entries } satisfies Watch;
  };
  const bus = new Proxy(whole, {
    get: (target, name) => {
      if (name === 'watch') return watch;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { bus, brought, release };
}
