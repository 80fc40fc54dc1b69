import { boundBucket } from '../bus/contracts/tokens.ts';
import { counted, HOUR_MS, type Kind, later } from './happening.ts';
import { CONSUMERS, NODES, PROVIDER_NODE } from './mesh.ts';

const COMPOSITIONS = 'mesh-indexer_compositions';

/** What a mesh lives through though nothing is wrong with it. */
export const life: Readonly<Record<string, Kind>> = {
  'a module comes': {
    weight: 5,
    befall({ world }, { node, module, build }) {
      world.publish(module, build);
      world.place(node, module, build);
    },
  },
  'a module is removed': { weight: 6, befall: ({ world }, { node, module }) => world.remove(node, module) },
  'a module is gone for a moment': {
    weight: 4,
    befall(stage, happening) {
      const { node, module } = happening;
      stage.world.remove(node, module);
      later(stage, happening, 3 * HOUR_MS, () => stage.world.place(node, module, 'b1'));
    },
  },
  'another build is wanted': {
    weight: 4,
    befall({ world }, { node, module, build }) {
      world.publish(module, build);
      world.want(node, module, build);
    },
  },
  'a build is published late': {
    weight: 3,
    befall: ({ world }, { module, build, forMs }) => world.publish(module, build, Math.min(forMs, 3 * HOUR_MS)),
  },
  'a composition is unpublished': {
    weight: 2,
    befall(stage, happening) {
      const { module, build } = happening;
      stage.world.delete(COMPOSITIONS, `${module}.${build}`);
      later(stage, happening, HOUR_MS, () => stage.world.publish(module, build));
    },
  },
  'many are removed at once': {
    weight: 2,
    befall({ world }, { node, which }) {
      for (let n = 0; n < 2 + (which % 5); n += 1) world.remove(node, CONSUMERS[(which + n) % CONSUMERS.length]!);
    },
  },
  'a module is removed everywhere': {
    weight: 1,
    befall({ world }, { module }) {
      for (const node of NODES) world.remove(node, module);
    },
  },
  'a provider cannot, for a while': {
    weight: 3,
    befall(stage, happening) {
      const { world } = stage;
      const bucket = boundBucket(happening.provider);
      const key = counted(world.keysIn(bucket), happening);
      if (key === undefined) return;
      world.provide(bucket, key, happening.which % 2 === 0 ? 'failed' : 'waits', 'it is in use');
      later(stage, happening, HOUR_MS, () => {
        if (world.keysIn(bucket).includes(key)) world.provide(bucket, key, 'provided');
      });
    },
  },
  'a provider restarts': {
    weight: 2,
    befall({ world }, { provider }) {
      for (const key of world.keysIn(boundBucket(provider))) world.delete(boundBucket(provider), key);
    },
  },
  'a provider is gone for a while': {
    weight: 1,
    befall(stage, happening) {
      const { provider } = happening;
      stage.world.remove(PROVIDER_NODE, provider);
      later(stage, happening, HOUR_MS, () => stage.world.place(PROVIDER_NODE, provider, 'b1'));
    },
  },
  'the operator approves': { weight: 12, befall: ({ operator }, { which }) => operator.answer(which, 'Approve', 1) },
  'the operator keeps': { weight: 3, befall: ({ operator }, { which }) => operator.answer(which, 'Keep', 1) },
  'the operator answers twice': { weight: 2, befall: ({ operator }, { which }) => operator.answer(which, 'Approve', 2) },
  'the operator lets a flood through': {
    weight: 1,
    befall({ operator, seats }, happening) {
      operator.letThrough(counted(seats.alive, happening)?.seat?.health());
    },
  },
  'the operator reconsiders': { weight: 2, befall: ({ operator }, { which }) => operator.reconsider(which) },
  'the operator composes': { weight: 1, befall: ({ operator }, { node }) => operator.compose(node) },
  'the operator accepts a read': {
    weight: 1,
    befall({ operator, seats, world }, happening) {
      operator.accept(counted(seats.alive, happening)?.seat?.health(), world.lostBuckets.length === 0);
    },
  },
};
