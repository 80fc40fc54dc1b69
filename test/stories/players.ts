import type { Outcome } from '../../src/bus/contracts/bound.ts';
import type { Former, Provision } from '../../src/bus/contracts/provisions.ts';
import { boundBucket } from '../../src/bus/contracts/tokens.ts';
import type { World } from './world.ts';

const PROVISIONS = 'mesh-provisioner_provisions';

type Part = Pick<Former, 'generation' | 'state' | 'detail' | 'warrant' | 'provider'>;

/** The providers that say outcomes: each answers what asks it at once, and lets go on a warrant, unless the story has it away. */
export class Players {
  readonly #away = new Set<string>();
  #actedAt = -1;

  constructor(private readonly world: World) {}

  goAway(module: string): void {
    this.#away.add(module);
  }

  comeBack(module: string): void {
    this.#away.delete(module);
    this.#actedAt = -1;
  }

  /** `true` where one of them did something. */
  async act(): Promise<boolean> {
    const { bus } = this.world.ground;
    const standsAt = this.world.ledger.last(PROVISIONS);
    if (standsAt === this.#actedAt) return false;
    this.#actedAt = standsAt;
    if ((await bus.identity(PROVISIONS)) === undefined) return false;
    let acted = false;
    for (const key of [...(await bus.subjects(PROVISIONS))].sort()) {
      const provision = await this.world.value<Provision>(PROVISIONS, key);
      for (const part of provision === undefined ? [] : partsOf(provision)) if (await this.#act(key, part)) acted = true;
    }
    return acted;
  }

  async #act(key: string, { provider: { module }, generation, state, detail, warrant }: Part): Promise<boolean> {
    const bucket = boundBucket(module);
    if (this.#away.has(module) || (await this.world.ground.bus.identity(bucket)) === undefined) return false;
    const outcome = await this.world.value<Outcome>(bucket, key);
    if (warrant?.generation === generation) {
      if (outcome === undefined) return false;
      await this.world.put(bucket, key, undefined);
      return true;
    }
    if (state !== 'judging' || detail !== 'asked' || outcome?.generation === generation) return false;
    await this.world.put(bucket, key, { state: 'provided', generation, value: { name: key.replaceAll('.', '_') }, at: this.world.at() });
    return true;
  }
}

function partsOf(provision: Provision): Part[] {
  const { provider, former = [] } = provision;
  return provider === undefined ? former : [{ ...provision, provider }, ...former];
}
