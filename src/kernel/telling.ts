import type { Pass } from '../bus/contracts/verbs.ts';
import type { NodeContext, NodeEvent, PassEvent } from '../machines/node-events.ts';
import type { Picture } from '../machines/picture.ts';
import type { SupervisorContext } from '../machines/supervisor-context.ts';
import type { SupervisorEvent } from '../machines/supervisor-events.ts';
import type { KernelMemory } from './memory.ts';
import type { Owed } from './owed.ts';

/** The kernel, as far as whoever works off a fact looks at it. */
interface Kernel {
  readonly picture: Picture;
  readonly memory: KernelMemory;
  readonly settings: { readonly asksOpenMax: number };
  readonly supervisor: SupervisorContext;
  gateOpen(): boolean;
  nodes(): readonly string[];
  node(name: string): NodeContext | undefined;
  passOf(node: string, word?: PassEvent['word']): PassEvent;
}

/** What may be done to the kernel while a fact is worked off. */
export interface Telling {
  readonly at: number;
  readonly kernel: Kernel;
  readonly owed: Owed;
  tell(event: SupervisorEvent): void;
  tellNode(node: string, event: NodeEvent): void;
  /** Tells a root by its name. */
  carry(root: string, event: NodeEvent): void;
  pass(node: string, word?: PassEvent['word']): Pass;
}
