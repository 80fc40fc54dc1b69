import { boundBucket } from '../../src/bus/contracts/tokens.ts';
import type { World } from './world.ts';

/** Buckets as a story calls them. */
const NAMES: Readonly<Record<string, string>> = {
  placement: 'mesh-placement_modules',
  machines: 'mesh-placement_machines',
  seats: 'mesh-placement_seats',
  wants: 'mesh-controller_wants',
  haves: 'mesh-host_haves',
  modules: 'mesh-indexer_modules',
  compositions: 'mesh-indexer_compositions',
  asks: 'mesh-router_asks',
  provisions: 'mesh-provisioner_provisions',
  plans: 'mesh-provisioner_plans',
  faults: 'mesh-provisioner_faults',
  snapshots: 'mesh-provisioner_snapshots',
  journal: 'LOG.mesh-provisioner.journal',
};

/** `wants` and the like, `bound.<module>`, or a bucket's own name. */
export function bucketNamed(name: string): string {
  if (name.startsWith('bound.')) return boundBucket(name.slice('bound.'.length));
  const bucket = NAMES[name];
  if (bucket === undefined) throw new Error(`no bucket is called ${name}: expected ${Object.keys(NAMES).join(', ')} or bound.<module>`);
  return bucket;
}

/** A value as a story writes it: JSON, or for the plainest buckets a word or two. */
export function valueIn(world: World, bucket: string, text: string): unknown {
  if (text === '') return {};
  if (text.startsWith('{') || text.startsWith('[')) return JSON.parse(text);
  const words = text.split(' ');
  switch (bucket) {
    case 'wants':
      return { build: text };
    case 'haves':
      return {
        build: words[0],
        state: words[1] ?? 'healthy',
        at: world.at(),
        ...(words.length > 2 ? { why: words.slice(2).join(' ') } : {}),
      };
    case 'modules':
      return { newest: words.at(-1), builds: words, at: world.at() };
    case 'compositions':
      return composition(words);
    case 'seats': {
      const [node, module] = text.split('.');
      return { node, module };
    }
    default:
      throw new Error(`${bucket} has no short form: write "${text}" as JSON`);
  }
}

/**
 * Such as `needs route, database offers cache:secret:bound`: a need is `<provision>[.<local>][@<provider>]`, with a host of its own for a route; an
 * offer is `<provision>:<credential>[:bound]`.
 */
function composition(words: readonly string[]): unknown {
  const made = { needs: [] as unknown[], offers: [] as unknown[] };
  let into: 'needs' | 'offers' = 'needs';
  for (const word of words) {
    if (word === 'needs' || word === 'offers') into = word;
    else if (word !== 'nothing') made[into].push(into === 'needs' ? need(word) : offer(word));
  }
  return made;
}

function need(word: string) {
  const [, provision, local, provider, size] = /^([\w-]+)(?:\.([\w-]+))?(?:@([\w-]+))?(?:\/(\w+))?$/.exec(word) ?? [];
  if (provision === undefined) throw new Error(`"${word}" is no need: expected <provision>[.<local>][@<provider>][/<size>]`);
  return {
    provision,
    ...(local === undefined ? {} : { local }),
    ...(provider === undefined ? {} : { provider }),
    ...(size === undefined ? {} : { with: { size } }),
  };
}

function offer(word: string) {
  const [provision, credential, bound] = word.split(':');
  return {
    provision,
    ...(credential === undefined || credential === '' ? {} : { credential }),
    ...(bound === 'bound' ? { bound: true } : {}),
  };
}

const WITH_DATABASE = new Set(['blog', 'wiki', 'mail']);

/** The picture of the stories, but for its providers, which stand on a node of their own. */
export async function defaultPicture(world: World): Promise<void> {
  await world.put('mesh-placement_seats', 'mesh-vault', { node: 'n3', module: 'vault' });
  await world.ground.bus.createBucket('vault_bound', { history: 1 });
  await Promise.all([
    provider(world, 'n4', 'router', 'route:none:bound'),
    provider(world, 'n4', 'postgres', 'database:pair:bound'),
    ...['blog', 'wiki', 'mail', 'git', 'chat', 'dns'].map((module) => running(world, 'n1', module)),
    ...['blog', 'wiki'].map((module) => running(world, 'n2', module)),
    running(world, 'n3', 'vault'),
  ]);
}

/** A provider of one thing, and the bucket of its outcomes where it says them. */
export async function provider(world: World, node: string, module: string, offered: string): Promise<void> {
  if (offered.endsWith(':bound')) await world.ground.bus.createBucket(boundBucket(module), { history: 1 });
  await indexed(world, module, 'b1', `offers ${offered}`);
  await placed(world, node, module, 'b1');
}

/** A module that runs on a node at build b1, indexed with what it needs. */
export async function running(world: World, node: string, module: string): Promise<void> {
  await indexed(world, module, 'b1', WITH_DATABASE.has(module) ? 'needs route database' : 'needs route');
  await placed(world, node, module, 'b1');
}

export async function indexed(world: World, module: string, build: string, says: string): Promise<void> {
  await world.put('mesh-indexer_modules', module, { newest: build, builds: [build], at: world.at() });
  await world.put('mesh-indexer_compositions', `${module}.${build}`, valueIn(world, 'compositions', says));
}

/** Placed, wanted and had. */
export async function placed(world: World, node: string, module: string, build: string): Promise<void> {
  await world.put('mesh-placement_modules', `${node}.${module}`, {});
  await world.put('mesh-controller_wants', `${node}.${module}`, { build });
  await world.put('mesh-host_haves', `${node}.${module}`, { build, state: 'healthy', at: world.at() });
}

/** Neither placed, nor wanted, nor had any more. */
export async function removed(world: World, node: string, module: string): Promise<void> {
  for (const bucket of ['mesh-placement_modules', 'mesh-controller_wants', 'mesh-host_haves'])
    await world.put(bucket, `${node}.${module}`, undefined);
}
