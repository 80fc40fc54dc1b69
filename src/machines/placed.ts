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

const NONE: readonly Evidence[] = [];

/** The value of `dir`, `access`, `port`, `seat` and `machine` placeholders for the consumer of this key; `undefined` for every other kind. */
export function placedValue(picture: Picture, key: string, { kind, name }: Placeholder): Placed | undefined {
  switch (kind) {
    case 'dir':
      return valued(own(picture.entry('placement', key)?.value?.dirs, name));
    case 'access':
      return valued(own(picture.entry('placement', key)?.value?.access, name));
    case 'port':
      return valued(own(picture.entry('placement', key)?.value?.ports, name));
    case 'machine':
      return machineValue(picture, key.slice(0, key.indexOf('.')), name);
    case 'seat':
      return seatValue(picture, name);
    default:
      return undefined;
  }
}

function machineValue(picture: Picture, key: string, name: string): Placed {
  const entry = picture.entry('machine', key);
  const value = name === 'address' ? entry?.value?.address : name === 'account' ? entry?.value?.account : undefined;
  return { ...valued(value, picture.evidence(bucketOf.machine, key)), unreadable: entry?.unreadable !== undefined };
}

/** `<seat>` is its holder's `<node>.<module>`; `<seat>.node` and `<seat>.module` are the names alone. */
function seatValue(picture: Picture, name: string): Placed {
  const [, seat = name, part] = /^(.+)\.(node|module)$/.exec(name) ?? [];
  const entry = picture.entry('seat', keyOf(seat));
  const holder = entry?.value;
  const value = holder && (part === undefined ? keyOf(holder.node, holder.module) : holder[part as keyof Place]);
  return { ...valued(value, picture.evidence(bucketOf.seat, keyOf(seat))), seat, unreadable: entry?.unreadable !== undefined };
}

function own<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

function valued(value: string | number | undefined, evidence: readonly Evidence[] = NONE): Placed {
  return value === undefined ? { evidence } : { value, evidence };
}
