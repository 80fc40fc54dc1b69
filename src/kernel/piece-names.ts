import { encodeToken } from '../bus/contracts/tokens.ts';
import { nodeRoot, SUPERVISOR } from '../machines/effects.ts';
import { bucketOf } from '../machines/picture.ts';

const ASKS = 'mesh-router_asks';
const NODE = nodeRoot('');

/** The piece of a snapshot that keeps what was last read of an entry: its module's, its node's, or the supervisor's own. */
export function pieceOf(bucket: string, key: string): string {
  const [first = ''] = key.split('.', 1);
  switch (bucket) {
    case bucketOf.indexed:
    case bucketOf.composition:
      return `module.${first}`;
    case bucketOf.seat:
      return SUPERVISOR;
    case ASKS:
      return `asks.${first}`;
    default:
      return `node.${first}`;
  }
}

/** The piece that keeps a root actor and what is owed to it. */
export function pieceOfRoot(root: string): string {
  return root.startsWith(NODE) ? `node.${encodeToken(root.slice(NODE.length))}` : SUPERVISOR;
}
