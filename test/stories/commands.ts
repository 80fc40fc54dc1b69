import type { AskRecord } from '../../src/bus/contracts/asks.ts';
import type { Verb } from '../../src/bus/contracts/verbs.ts';
import type { Cast, Command, Said } from './cast.ts';
import { bucketNamed, defaultPicture, indexed, placed, provider, removed, running, valueIn } from './picture.ts';
import { show } from './shows.ts';
import { troubles } from './troubles.ts';
import type { World } from './world.ts';

/** The commands of a story, by their first word. */
export const commands: Readonly<Record<string, Command>> = {
  mesh: ({ world }) => defaultPicture(world).then(() => undefined),
  /** The mesh, a seat, and every key provided: where most stories begin. */
  standing: async (cast) => {
    await defaultPicture(cast.world);
    return stands(cast);
  },
  /** A seat, and what it made of the mesh, said in one line. */
  stands,
  settings: ({ world }, words) => {
    const set = Object.fromEntries(words.map((word) => word.split('=')).map(([name, value]) => [name!, Number(value)]));
    world.settings = { ...world.settings, ...set };
    return undefined;
  },
  start: async ({ world }, [name = 'one']) => {
    world.run(world.processes.get(name) ?? (await world.prepare(name)));
    return undefined;
  },
  prepare: ({ world }, [name = 'one']) => world.prepare(name).then(() => undefined),
  stop: ({ world }, [name]) => world.stop(world.process(name)).then(() => undefined),
  kill: ({ world }, [name]) => world.kill(world.process(name)).then(() => undefined),

  run: each((world, [node, module]) => running(world, node, module)),
  remove: each((world, [node, module]) => removed(world, node, module)),
  /** `crowd n5 100`: so many modules that need a route run there, each of a name of its own. */
  crowd: async ({ world }, [node = '', size = '1']) => {
    await Promise.all(Array.from({ length: Number(size) }, (_, index) => running(world, node, `${node}-${index + 1}`)));
    return undefined;
  },
  place: async ({ world }, [what = '', build = 'b1']) => {
    const [node = '', module = ''] = what.split('.');
    await placed(world, node, module, build);
    return undefined;
  },
  index: async ({ world }, [module = '', build = 'b1', ...says]) => {
    await indexed(world, module, build, says.join(' '));
    return undefined;
  },
  provider: async ({ world }, [what = '', offered = '']) => {
    const [node = '', module = ''] = what.split('.');
    await provider(world, node, module, offered);
    return undefined;
  },
  /** `put wants n1.blog,n1.wiki b1` */
  put: async ({ world }, [bucket = '', keys = '', ...value]) => {
    for (const key of keys.split(',')) await world.put(bucketNamed(bucket), key, valueIn(world, bucket, value.join(' ')));
    return undefined;
  },
  write: async ({ world }, [bucket = '', key = '', ...text]) => {
    await world.write(bucketNamed(bucket), key, text.join(' '));
    return undefined;
  },
  delete: async ({ world }, [bucket = '', ...keys]) => {
    for (const key of keys) await world.put(bucketNamed(bucket), key, undefined);
    return undefined;
  },
  outcome: async ({ world }, [module = '', key = '', state, generation, ...why]) => {
    const says = why.length === 0 ? {} : { why: why.join(' ') };
    await world.put(bucketNamed(`bound.${module}`), key, { state, generation: Number(generation), at: world.at(), ...says });
    return undefined;
  },
  away: ({ players }, modules) => {
    for (const module of modules) players.goAway(module);
    return undefined;
  },
  back: ({ players }, modules) => {
    for (const module of modules) players.comeBack(module);
    return undefined;
  },

  approve: (cast, words) => answer(cast, 'Approve', words),
  keep: (cast, words) => answer(cast, 'Keep', words),
  say: async ({ world }, [verb = '', ...words]) => {
    const seat = world.holder.seat;
    if (seat === undefined) throw new Error('no seat runs');
    const reply = seat.call(`mesh-provisioner.${verb}` as Verb, { by: 'anna', why: 'told so', ...requestOf(words) });
    await world.settle();
    const said = await reply;
    return said.ok ? [said.text] : [`refused ${said.code}: ${said.says}`];
  },
  show,
  ...troubles,
};

async function stands({ world, observed }: Cast): Promise<Said> {
  const { watch } = world;
  world.watch = async () => {};
  world.run(world.processes.get('one') ?? (await world.prepare('one')));
  await world.settle();
  world.watch = watch;
  await observed.changes();
  return (await observed.counts()).map(([state, count]) => `${count} ${state}`);
}

function each(act: (world: World, place: [node: string, module: string]) => Promise<void>): Command {
  return async ({ world }, places) => {
    for (const place of places) {
      const [node = '', ...modules] = place.split('.');
      for (const module of modules.join('.').split(',')) await act(world, [node, module]);
    }
    return undefined;
  };
}

/** Answers the ask of a key that stands open, or an ask by its id, as the operator does at the router. */
async function answer({ world }: Cast, said: 'Approve' | 'Keep', [what = '', by = 'anna']: readonly string[]): Promise<Said> {
  const { bus } = world.ground;
  const asks = await Promise.all(
    [...(await bus.subjects('mesh-router_asks'))].map((id) => world.value<AskRecord>('mesh-router_asks', id).then((ask) => ({ id, ask }))),
  );
  const open = asks.find(({ id, ask }) => id === what || (ask?.subject === what && ask.state === 'open'));
  if (open === undefined) throw new Error(`no ask of ${what} stands open`);
  const reply = world.holder.seat!.call('mesh-router.answer', { id: open.id, answer: said, by });
  await world.settle();
  const told = await reply;
  return told.ok ? undefined : [`refused ${told.code}: ${told.says}`];
}

/** Such as `node=n1 retire-many consumers=n1.blog,n1.wiki`. */
function requestOf(words: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    words.map((word) => {
      const [name = '', value] = word.split('=');
      if (value === undefined) return [name, true];
      if (/^\d+$/.test(value)) return [name, Number(value)];
      return [name, name === 'consumers' ? value.split(',') : value];
    }),
  );
}
