import type { AskRecord } from '../../src/bus/contracts/asks.ts';
import type { Fault } from '../../src/bus/contracts/faults.ts';
import type { Plan } from '../../src/bus/contracts/plans.ts';
import type { Former, Provision } from '../../src/bus/contracts/provisions.ts';
import type { Bus } from '../../src/bus/port.ts';
import type { World } from './world.ts';

/** One thing that a story can see, and how it stands. */
interface Sight {
  readonly kind: 'key' | 'ask' | 'fault' | 'plan' | 'gate';
  readonly name: string;
  readonly shown: string;
  /** What is said beside it, told where it alone changes. */
  readonly more: string;
  readonly revision: number;
}

const BUCKETS = {
  key: 'mesh-provisioner_provisions',
  plan: 'mesh-provisioner_plans',
  ask: 'mesh-router_asks',
  fault: 'mesh-provisioner_faults',
} as const;

/** Everything that can be seen from outside: keys, plans, asks and faults as they stand on the bus, and the gate. */
export class Observed {
  #sights = new Map<string, Sight>();
  readonly #read = new Map<string, { revision: number; sights: Sight[] }>();

  constructor(private readonly world: World) {}

  /** What changed since it was last looked at, a line each, the alike together. */
  async changes(): Promise<string[]> {
    const before = this.#sights;
    const now = new Map((await this.#look()).map((sight) => [`${sight.kind} ${sight.name}`, sight]));
    this.#sights = now;
    const alike = new Map<string, { kind: Sight['kind']; says: string; names: string[] }>();
    for (const name of [...new Set([...before.keys(), ...now.keys()])].sort()) {
      const says = difference(before.get(name), now.get(name));
      if (says === undefined) continue;
      const { kind } = (now.get(name) ?? before.get(name))!;
      const line = alike.get(`${kind} ${says}`) ?? { kind, says, names: [] };
      alike.set(`${kind} ${says}`, line);
      line.names.push(name.slice(kind.length + 1));
    }
    return [...alike.values()].map(({ kind, says, names }) => told(kind, says, names));
  }

  /** How many of each kind stand in which state. */
  async counts(): Promise<[string, number][]> {
    const counts = new Map<string, number>();
    for (const { kind, shown } of this.#sights.values()) {
      const what = kind === 'plan' ? 'plans' : kind === 'key' ? `keys ${shown}` : `${kind} ${shown}`;
      counts.set(what, (counts.get(what) ?? 0) + 1);
    }
    return [...counts];
  }

  async #look(): Promise<Sight[]> {
    const { bus } = this.world.ground;
    const sights: Sight[] = [];
    for (const [kind, bucket] of Object.entries(BUCKETS)) sights.push(...(await this.#bucket(bus, kind as keyof typeof BUCKETS, bucket)));
    for (const { name, seat } of this.world.processes.values()) {
      if (seat === undefined || seat.health().seat.epoch === 0) continue;
      const { gate } = seat.health();
      const shown = gate.open ? 'open' : `shut: ${gate.missing.map(({ read, why }) => `${read} (${why})`).join(', ')}`;
      sights.push({ kind: 'gate', name, shown, more: '', revision: 0 });
    }
    return sights;
  }

  async #bucket(bus: Bus, kind: keyof typeof BUCKETS, bucket: string): Promise<Sight[]> {
    const revision = this.world.ledger.last(bucket);
    const known = this.#read.get(bucket);
    if (known?.revision === revision) return known.sights;
    if ((await bus.identity(bucket)) === undefined) return [];
    const entries = await Promise.all([...(await bus.subjects(bucket))].map((key) => bus.get(bucket, key)));
    const sights = entries.flatMap((entry) => {
      if (entry?.text === undefined) return [];
      return [{ kind, name: entry.key, revision: entry.revision, ...describe(kind, JSON.parse(entry.text)) }];
    });
    this.#read.set(bucket, { revision, sights });
    return sights;
  }
}

function describe(kind: keyof typeof BUCKETS, value: unknown): { shown: string; more: string } {
  switch (kind) {
    case 'key':
      return { shown: provisionShown(value as Provision), more: (value as Provision).why };
    case 'plan': {
      const { build, held } = value as Plan;
      return { shown: held === undefined ? build : `${build}, held: ${held}`, more: '' };
    }
    case 'ask':
      return { shown: askShown(value as AskRecord), more: '' };
    case 'fault':
      return { shown: (value as Fault).says, more: '' };
  }
}

export function provisionShown(provision: Provision): string {
  const former = (provision.former ?? []).map((one) => `, formerly of ${place(one)} ${state(one)}`);
  return `${state(provision)}${former.join('')}`;
}

function state({ state, detail, generation }: Pick<Former, 'state' | 'detail' | 'generation'>): string {
  return `${state}${detail === undefined ? '' : `/${detail}`}${generation === 1 ? '' : ` g${generation}`}`;
}

function place({ provider: { node, module } }: Former): string {
  return `${node}.${module}`;
}

export function askShown({ state, answer, by, why }: AskRecord): string {
  if (state === 'answered') return `answered ${answer} by ${by}`;
  return state === 'ended' ? `ended (${why})` : state;
}

function difference(before: Sight | undefined, now: Sight | undefined): string | undefined {
  const { kind } = (now ?? before)!;
  if (kind === 'fault' || kind === 'gate')
    return before?.shown === now?.shown ? undefined : (now?.shown ?? (kind === 'gate' ? 'no seat' : 'over'));
  if (before?.shown !== now?.shown) return `${before?.shown ?? 'new'} → ${now?.shown ?? 'gone'}`;
  if (before?.more !== now?.more) return `${now?.shown}, now says: ${now?.more}`;
  return before?.revision === now?.revision ? undefined : 'written again';
}

const LISTED_MAX = 6;
const LABELS = { key: '', ask: 'ask ', fault: 'fault ', plan: 'plan of ', gate: 'gate of ' } as const;

function told(kind: Sight['kind'], says: string, names: readonly string[]): string {
  return `${names.length > LISTED_MAX ? `${names.length} ${kind}s` : `${LABELS[kind]}${names.join(', ')}`}: ${says}`;
}
