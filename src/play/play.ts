import { playNodeEngines } from './node-engines.ts';
import { playProviders } from './providers.ts';
import type { Stage } from './stage.ts';

/** Stands in for the node engines and providers of a mesh's nodes. It knows the wire alone. Returns how to stop. */
export function play(stage: Stage, nodes: readonly string[]): () => void {
  const played = new Set(nodes);
  const stops = [playNodeEngines(stage, played), playProviders(stage, played)];
  return () => {
    for (const stop of stops) stop();
  };
}
