import type { AnswerOf } from '../bus/contracts/verbs.ts';
import { ago, type Paint } from './terminal.ts';

type Asks = AnswerOf<'mesh-provisioner.asks'>;

/** What an operator needs to decide: the question, its proof, and how to answer. */
export function askWords({ open, waiting }: Asks, now: number, paint: Paint): string {
  if (open.length === 0 && waiting.length === 0) return 'nothing is asked';
  const asked = open.flatMap((ask) => [
    `${paint('bold', ask.question)}`,
    `  key     ${ask.subject}`,
    `  asked   ${ago(ask.raisedAt, now)} by ${ask.asker}`,
    ...proofLines(ask.proof),
    `  answer  mesh-provisioner keep ${ask.id}`,
    `          mesh-provisioner approve ${ask.id}`,
    '',
  ]);
  const queued = waiting.map((ask) => `  ${ask.subject}, ${ago(ask.since, now)}: ${ask.why}`);
  return [...asked, ...(queued.length === 0 ? [] : ['waiting, oldest first:', ...queued])].join('\n').trimEnd();
}

/** A proof as lines of a name and what stands there, whatever its shape. */
function proofLines(proof: unknown, name = 'proof', indent = '  '): string[] {
  if (Array.isArray(proof)) return proof.flatMap((item, index) => proofLines(item, `${index + 1}.`, indent));
  if (proof === null || typeof proof !== 'object') return [`${indent}${name.padEnd(8)}${String(proof)}`];
  const fields = Object.entries(proof);
  if (fields.every(([, value]) => value === null || typeof value !== 'object')) {
    return [`${indent}${name.padEnd(8)}${fields.map(([field, value]) => `${field} ${value}`).join(', ')}`];
  }
  return [`${indent}${name}`, ...fields.flatMap(([field, value]) => proofLines(value, field, `${indent}  `))];
}
