import { nodeRoot, SUPERVISOR } from '../machines/effects.ts';
import { nodeMachine } from '../machines/node.ts';
import type { NodeEvent, NodeSettings, PassReport } from '../machines/node-events.ts';
import type { SupervisorEvent } from '../machines/supervisor-events.ts';
import type { KernelMemory } from './memory.ts';
import type { Owed } from './owed.ts';
import { pieceOfRoot } from './piece-names.ts';
import type { Roots } from './roots.ts';

type Told = SupervisorEvent | NodeEvent;

/** Tells root actors what happened, and carries what they say on: words to other roots, to the clock and to the seat; effects that are owed. */
export class Carrier {
  /** What the last pass of each node reported in this record. */
  readonly reports = new Map<string, PassReport>();

  constructor(
    private readonly roots: Roots,
    private readonly memory: Pick<KernelMemory, 'wakes' | 'changed'>,
    private readonly owed: Owed,
    private readonly settings: NodeSettings,
  ) {}

  tell(event: SupervisorEvent): void {
    this.carry(SUPERVISOR, event);
  }

  tellNode(node: string, event: NodeEvent): void {
    const name = nodeRoot(node);
    if (!this.roots.has(name)) this.roots.open(name, nodeMachine, { node, settings: this.settings });
    this.carry(name, event);
  }

  /** Sends an event, then carries every word it led to, in order, until none is left. */
  carry(to: string, event: Told): void {
    const queue: { to: string; event: Told }[] = [{ to, event }];
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      this.memory.changed.add(pieceOfRoot(next.to));
      for (const { from, emitted } of this.roots.send(next.to, next.event)) {
        if (emitted.type === 'effect') this.owed.owe(from, emitted.effect);
        else if (emitted.to === 'clock') this.#wake(emitted.event as unknown as { owner: string; at: number });
        else if (emitted.to === 'seat') this.#heard(emitted.event as unknown as { node: string; report: PassReport });
        else queue.push({ to: emitted.to, event: emitted.event as Told });
      }
    }
  }

  #wake({ owner, at }: { owner: string; at: number }): void {
    const { wakes } = this.memory;
    wakes.set(owner, Math.min(at, wakes.get(owner) ?? at));
  }

  #heard({ node, report }: { node: string; report: PassReport }): void {
    this.reports.set(node, report);
  }
}
