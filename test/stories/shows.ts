import type { Provision } from '../../src/bus/contracts/provisions.ts';
import type { Command } from './cast.ts';
import { bucketNamed } from './picture.ts';

export const show: Command = async ({ world }, [what = '', ...words]) => {
  const seat = world.holder.seat;
  if (seat === undefined) return ['no seat runs'];
  switch (what) {
    case 'health': {
      const { healthy, gate, faults, asks } = seat.health();
      const counted = asks.oldestWaiting === undefined ? '' : `, the oldest since ${asks.oldestWaiting}`;
      return [
        healthy ? 'healthy' : 'not healthy',
        ...gate.missing.map(({ read, why, since }) => `missing: ${read} since ${since}: ${why}`),
        ...faults.flatMap(({ kind, says, cause, clears, since }) => [
          `${kind}: ${says}`,
          `  since ${since}; likely ${cause}`,
          `  clears: ${clears}`,
        ]),
        `asks: ${asks.open} open, ${asks.waiting} waiting${counted}`,
      ];
    }
    case 'writes': {
      const { bus } = world.holder;
      const written = [...bus.writes].filter(([bucket]) => SHOWN.includes(bucket));
      bus.writes.clear();
      return written.length === 0 ? ['no write'] : written.map(([bucket, count]) => `${count} to ${bucket}`);
    }
    case 'entry': {
      const [bucket = '', key = ''] = words;
      const entry = await world.ground.bus.get(bucketNamed(bucket), key);
      if (entry === undefined) return ['never written'];
      return [`revision ${entry.revision}: ${entry.text ?? 'a delete marker'}`];
    }
    case 'warrant': {
      const { ask, warrant } = (await world.value<Provision>(bucketNamed('provisions'), words[0] ?? '')) ?? {};
      return [`ask ${ask === undefined ? 'none' : `${ask.id} ${ask.state}`}; warrant ${JSON.stringify(warrant ?? 'none')}`];
    }
    case 'keys': {
      const { rows } = await asked<{ rows: { key: string; value: Row }[] }>(seat, 'provisions', filter(words));
      return rows.map(
        ({ key, value }) =>
          `${key} ${value.state}${value.detail === undefined ? '' : `/${value.detail}`} g${value.generation}: ${value.why}`,
      );
    }
    default:
      throw new Error(`nothing to show is called ${what}`);
  }
};

const SHOWN = ['provisions', 'plans', 'faults', 'asks'].map(bucketNamed);

interface Row {
  readonly state: string;
  readonly detail?: string;
  readonly generation: number;
  readonly why: string;
}

type Asking = { call(verb: never, request: unknown): Promise<{ ok: true; text: string } | { ok: false; says: string }> };

async function asked<T>(seat: Asking, verb: string, request: unknown): Promise<T> {
  const reply = await seat.call(`mesh-provisioner.${verb}` as never, request);
  if (!reply.ok) throw new Error(reply.says);
  return JSON.parse(reply.text) as T;
}

/** `n1` or `n1.wiki`. */
function filter([place = '']: readonly string[]): { node?: string; module?: string } {
  const [node, module] = place.split('.');
  return { ...(node === undefined || node === '' ? {} : { node }), ...(module === undefined ? {} : { module }) };
}
