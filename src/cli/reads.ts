import { namesOf } from '../bus/contracts/tokens.ts';
import type { RequestOf } from '../bus/contracts/verbs.ts';
import { type Call, print } from './call.ts';
import { askWords } from './words-asks.ts';
import { healthWords, nodeRows, statusWords } from './words-health.ts';
import { planWords, provisionWords, rowWords } from './words-rows.ts';

interface Located {
  readonly node?: string;
  readonly module?: string;
}

export async function status(call: Call): Promise<void> {
  const [health, provisions] = await Promise.all([
    call.client.call('mesh-provisioner.health', {}),
    call.client.call('mesh-provisioner.provisions', {}),
  ]);
  const nodes = nodeRows(provisions, (key) => namesOf(key)?.[0] ?? key);
  const { gate, seat, asks: counted, faults } = health;
  print(call, { gate, seat, asks: counted, faults, nodes }, () => statusWords(health, nodes, call.now(), call.terminal.paint));
}

export async function health(call: Call): Promise<void> {
  const answer = await call.client.call('mesh-provisioner.health', {});
  print(call, answer, () => healthWords(answer, call.now(), call.terminal.paint));
}

export async function provisions(call: Call<Located & { inState?: string }>): Promise<void> {
  const request = { ...place(call.options), ...(call.options.inState === undefined ? {} : { state: call.options.inState }) };
  const answer = await call.client.call('mesh-provisioner.provisions', request as RequestOf<'mesh-provisioner.provisions'>);
  print(call, answer, () => (answer.rows.length === 0 ? 'no keys' : provisionWords(answer, call.now(), call.terminal.paint)));
}

export async function plans(call: Call<Located>): Promise<void> {
  const answer = await call.client.call('mesh-provisioner.plans', place(call.options));
  print(call, answer, () => (answer.rows.length === 0 ? 'no plans' : planWords(answer, call.terminal.paint)));
}

export async function provisioning(call: Call<Located & { what: string; collection?: string }>): Promise<void> {
  const { what, collection } = call.options;
  const request = { what, ...place(call.options), ...(collection === undefined ? {} : { collection }) };
  const answer = await call.client.call('mesh-provisioner.provisioning', request as RequestOf<'mesh-provisioner.provisioning'>);
  for (const { key, why } of answer.outOfShape) call.terminal.say(`out of shape: ${key}: ${why}`);
  print(call, answer, () => (answer.rows.length === 0 ? `no rows of ${what}` : rowWords(answer, call.terminal.paint)));
}

export async function asks(call: Call): Promise<void> {
  const answer = await call.client.call('mesh-provisioner.asks', {});
  print(call, answer, () => askWords(answer, call.now(), call.terminal.paint));
}

function place({ node, module }: Located): Located {
  return { ...(node === undefined ? {} : { node }), ...(module === undefined ? {} : { module }) };
}
