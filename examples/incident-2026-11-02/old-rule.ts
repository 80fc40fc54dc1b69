import type { Composition } from '../../src/bus/contracts/compositions.ts';
import { namesOf } from '../../src/bus/contracts/tokens.ts';

/**
 * The rule that failed: a key that stands and that no composition it has read needs is asked to be taken away. A module of which nothing
 * was read yet needs nothing by this rule.
 *
 * @param read every composition read so far, by `<module>.<build>`
 */
export function oldRuleAsks(standing: readonly string[], read: ReadonlyMap<string, Composition>): string[] {
  const needed = new Set<string>();
  for (const [composition, { needs }] of read) {
    const module = namesOf(composition)?.[0];
    for (const need of needs) needed.add(JSON.stringify([module, need.provision, need.local]));
  }
  return standing.filter((key) => {
    const [, module, provision, local] = namesOf(key) ?? [];
    return !needed.has(JSON.stringify([module, provision, local]));
  });
}
