import type { Provision } from '../../bus/contracts/provisions.ts';
import { Broken, type Checker } from './checker.ts';

const PROVISIONS = 'mesh-provisioner_provisions';
const RETIRE_MAX = 3;

/** Never more than three consumers of a node retire in one window without the operator's word (B1, B3). */
export function floodsAreBraked(): Checker {
  const promise = 'never more than 3 consumers of a node retire in a window without the word';
  const turned = new Map<string, Map<string, number>>();
  return {
    promise,
    applied({ bucket, key, at, before, after }, { settings, words }) {
      if (bucket !== PROVISIONS) return;
      const [node = '', module = ''] = key.split('.');
      const isRetiring = (value: unknown) => (value as Provision | undefined)?.state === 'retiring';
      const consumers = turned.get(node) ?? new Map<string, number>();
      turned.set(node, consumers);
      if (after !== undefined && !isRetiring(after)) consumers.delete(module);
      if (isRetiring(before) || !isRetiring(after)) return;
      consumers.set(module, at);
      const recent = [...consumers].filter(([, since]) => since > at - settings.brakeWindowMs);
      const isWord = words.some((word) => word.node === node && word.at > at - settings.brakeWindowMs - settings.wordMs);
      if (recent.length > RETIRE_MAX && !isWord) throw new Broken(promise, `on ${node}: ${recent.map(([name]) => name).join(', ')}`);
    },
  };
}
