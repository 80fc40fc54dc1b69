import type { Clock } from '../bus/clock.ts';
import { namesOf } from '../bus/contracts/tokens.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { OwedEffect } from '../machines/effects.ts';
import type { Fact } from '../machines/facts.ts';
import { missingReads } from '../machines/supervisor.ts';

const PROVISIONS = 'mesh-provisioner_provisions';
/** A node's keys are counted once what happens to them pauses. */
const QUIET_MS = 300;
/** A gate that is still shut so long after the start is worth a line for each read. */
const SHUT_MS = 2_000;

/** What a person wants to know of a seat that runs, a line each. */
export class Progress {
  readonly #changed = new Set<string>();
  readonly #told = new Map<string, string>();
  readonly #startedAt: number;
  #isOpen = false;
  #cancel = () => {};
  readonly #cancelShut: () => void;

  constructor(
    private readonly clock: Clock,
    private readonly kernel: Pick<Kernel, 'gateOpen' | 'node' | 'nodes' | 'supervisor'>,
    private readonly say: (line: string) => void,
  ) {
    this.#startedAt = clock.now();
    this.#cancelShut = clock.after(SHUT_MS, () => this.#shut());
  }

  /** @param done what was owed before the step and is acknowledged by it */
  stepped(facts: readonly Fact[], done: readonly OwedEffect[]): void {
    this.#gate(facts);
    for (const { effect } of done) {
      if (effect.kind === 'raise') this.say(`asked: ${effect.question}`);
      if ('bucket' in effect && effect.bucket === PROVISIONS) this.#changed.add(namesOf(effect.key)?.[0] ?? effect.key);
    }
    if (this.#changed.size === 0) return;
    this.#cancel();
    this.#cancel = this.clock.after(QUIET_MS, () => this.#count());
  }

  stop(): void {
    this.#cancel();
    this.#cancelShut();
  }

  #shut(): void {
    if (this.#isOpen) return;
    for (const { read, why } of missingReads(this.kernel.supervisor)) this.say(`gate shut: ${read}: ${why}`);
  }

  #gate(facts: readonly Fact[]): void {
    const isOpen = this.kernel.gateOpen();
    if (isOpen === this.#isOpen) return;
    this.#isOpen = isOpen;
    const missing = facts.find((fact) => fact.type === 'missing');
    if (isOpen) for (const node of this.kernel.nodes()) this.#changed.add(node);
    if (isOpen) this.say(`gate open after ${((this.clock.now() - this.#startedAt) / 1000).toFixed(1)} s`);
    else this.say(missing === undefined ? 'gate shut' : `gate shut: ${missing.read}: ${missing.why}`);
  }

  #count(): void {
    for (const node of [...this.#changed].sort()) {
      const line = summary(node, Object.values(this.kernel.node(node)?.acknowledged ?? {}));
      if (this.#told.get(node) !== line) this.say(line);
      this.#told.set(node, line);
    }
    this.#changed.clear();
  }
}

/** Such as `n1: 12 keys, 11 provided, 1 judging`. */
export function summary(node: string, states: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const state of states) counts.set(state, (counts.get(state) ?? 0) + 1);
  const parts = [...counts].sort(([, one], [, other]) => other - one).map(([state, count]) => `${count} ${state}`);
  return [`${node}: ${states.length} ${states.length === 1 ? 'key' : 'keys'}`, ...parts].join(', ');
}
