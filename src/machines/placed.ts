import type { Evidence, Place } from '../bus/contracts/common.ts';
import { keyOf } from '../bus/contracts/tokens.ts';
import { bucketOf, type Picture } from './picture.ts';
import type { Placeholder } from './placeholders.ts';

/** What the placement says for a placeholder of its kinds: the value if there is one, and which entries say so. */
export interface Placed {
  readonly value?: string | number;
  readonly evidence: readonly Evidence[];
  readonly seat?: string;
  /** The entry is there and cannot be read (P6). */
  readonly unreadable?: boolean;
}

/** The value of `dir`, `access`, `port`, `seat` and `machine` placeholders for one consumer; `undefined` for every other kind. */
export function placedValue(picture: Picture, consumer: Place, { kind, name }: Placeholder): Placed | undefined {
  const key = keyOf(consumer.node, consumer.module);
  const placement = picture.entry('placement', key)?.value;
  switch (kind) {
    case 'dir':
      return { ...valued(own(placement?.dirs, name)), evidence: [] };
    case 'access':
      return { ...valued(own(placement?.access, name)), evidence: [] };
    case 'port':
      return { ...valued(own(placement?.ports, name)), evidence: [] };
    case 'machine':
      return machineValue(picture, keyOf(consumer.node), name);
    case 'seat':
      return seatValue(picture, name);
    default:
      return undefined;
  }
}

function machineValue(picture: Picture, key: string, name: string): Placed {
  const entry = picture.entry('machine', key);
  const value = name === 'address' ? entry?.value?.address : name === 'account' ? entry?.value?.account : undefined;
  return { ...valued(value), evidence: picture.evidence(bucketOf.machine, key), unreadable: entry?.unreadable !== undefined };
}

/** `<seat>` is its holder's `<node>.<module>`; `<seat>.node` and `<seat>.module` are the names alone. */
function seatValue(picture: Picture, name: string): Placed {
  const [, seat = name, part] = /^(.+)\.(node|module)$/.exec(name) ?? [];
  const entry = picture.entry('seat', keyOf(seat));
  const holder = entry?.value;
  const value = holder && (part === undefined ? keyOf(holder.node, holder.module) : holder[part as keyof Place]);
  return { ...valued(value), evidence: picture.evidence(bucketOf.seat, keyOf(seat)), seat, unreadable: entry?.unreadable !== undefined };
}

function own<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

function valued<T>(value: T | undefined): { value?: T } {
  return value === undefined ? {} : { value };
}
