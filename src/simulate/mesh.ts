import type { Composition } from '../bus/contracts/compositions.ts';

/** The mesh that lives in a run: which modules there are, and what each is at each of its builds. */
export const NODES = ['n1', 'n2', 'n3'] as const;
export const BUILDS = ['b1', 'b2', 'b3'] as const;
export const CONSUMERS = ['blog', 'wiki', 'mail', 'git', 'chat', 'dns'] as const;
/** Its last one is judged by its have, the others by their outcomes. */
export const PROVIDERS = ['router', 'postgres', 'vault', 'cache'] as const;
export const PROVIDER_NODE = 'n3';

/** What stands as a run begins. */
export const FIRST: readonly (readonly [node: string, module: string])[] = [
  ...CONSUMERS.map((module) => ['n1', module] as const),
  ['n2', 'blog'],
  ['n2', 'wiki'],
  ['n2', 'dns'],
  ...PROVIDERS.map((module) => [PROVIDER_NODE, module] as const),
];

/** Every module's composition at a build: each build asks a little differently. */
export function compositionOf(module: string, build: string): Composition {
  return { needs: needsOf(module, build), offers: offersOf(module), contributes: [], fills: [] };
}

function needsOf(module: string, build: string): Composition['needs'] {
  if ((PROVIDERS as readonly string[]).includes(module)) return [];
  const route = { provision: 'route', with: { host: `${module}-${build}.example` } };
  const database = ['blog', 'wiki', 'mail'].includes(module) ? [{ provision: 'database', with: { size: 1 } }] : [];
  const cache = module === 'chat' || build === 'b3' ? [{ provision: 'cache' }] : [];
  return [...(module === 'git' && build === 'b2' ? [] : [route]), ...database, ...cache];
}

function offersOf(module: string): Composition['offers'] {
  switch (module) {
    case 'router':
      return [{ provision: 'route', credential: 'none', bound: true }];
    case 'postgres':
      return [{ provision: 'database', credential: 'pair', bound: true }];
    case 'cache':
      return [{ provision: 'cache', credential: 'none' }];
    default:
      return [];
  }
}
