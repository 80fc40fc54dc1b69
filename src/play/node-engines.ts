import type { z } from 'zod';
import { Have } from '../bus/contracts/haves.ts';
import { namesOf } from '../bus/contracts/tokens.ts';
import { Want } from '../bus/contracts/wants.ts';
import { parsed } from './parsed.ts';
import { AGAIN_MS, follow, looker, type Stage, write } from './stage.ts';

const WANTS = 'mesh-controller_wants';
const HAVES = 'mesh-host_haves';
const STARTING_MS = 500;

/** Stands in for the node engines of some nodes: what is wanted there starts, then is healthy; what is no longer wanted there stops. */
export function playNodeEngines(stage: Stage, nodes: ReadonlySet<string>): () => void {
  const { bus, clock, say } = stage;
  const looking = looker(stage, async (key) => {
    const [wantEntry, haveEntry] = await Promise.all([bus.get(WANTS, key), bus.get(HAVES, key)]);
    const have = parsed(Have, haveEntry?.text);
    const put = async (value: z.infer<typeof Have> | undefined) => write(stage, HAVES, key, value, haveEntry?.revision ?? 0);
    if (wantEntry?.text === undefined) {
      if (haveEntry?.text === undefined) return undefined;
      if (!(await put(undefined))) return AGAIN_MS;
      say(`${key} has stopped`);
      return undefined;
    }
    const want = parsed(Want, wantEntry.text);
    if (want === undefined) return undefined;
    const at = new Date(clock.now()).toISOString();
    if (have?.build !== want.build) return (await put({ build: want.build, state: 'starting', at })) ? STARTING_MS : AGAIN_MS;
    if (have.state !== 'starting') return undefined;
    const left = Date.parse(have.at) + STARTING_MS - clock.now();
    if (left > 0) return left;
    if (!(await put({ build: want.build, state: 'healthy', at }))) return AGAIN_MS;
    say(`${key} runs ${want.build}`);
    return undefined;
  });
  const hear = (key: string) => {
    const [node, ...module] = namesOf(key) ?? [];
    if (node !== undefined && module.length === 1 && nodes.has(node)) looking.look(key);
  };
  const stops = [follow(stage, WANTS, hear), follow(stage, HAVES, hear), looking.stop];
  return () => {
    for (const stop of stops) stop();
  };
}
