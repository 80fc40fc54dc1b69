import type { Answer } from '../bus/contracts/asks.ts';
import type { RequestOf } from '../bus/contracts/verbs.ts';
import { Failure } from '../failure.ts';
import { type Call, print } from './call.ts';
import { count } from './terminal.ts';
import { passWords } from './words-rows.ts';

interface Optional {
  readonly why?: string;
}

interface Reasoned {
  readonly why: string;
}

interface Composing extends Reasoned {
  readonly node?: string;
  readonly fault?: string;
  readonly consumers?: string[];
  readonly retireMany?: boolean;
  readonly dryRun?: boolean;
}

export function approve(call: Call<Optional>, id: string): Promise<void> {
  return answer(call, id, 'Approve');
}

export function keep(call: Call<Optional>, id: string): Promise<void> {
  return answer(call, id, 'Keep');
}

/** Judges again; a pass that the brake stopped is a refusal. */
export async function compose(call: Call<Composing>): Promise<void> {
  const { node, fault, consumers, retireMany, dryRun, why } = call.options;
  const request: RequestOf<'mesh-provisioner.compose'> = { by: call.by, why };
  if (node !== undefined) request.node = node;
  if (fault !== undefined) request.fault = fault;
  if (consumers !== undefined) request.consumers = consumers;
  if (retireMany === true) request['retire-many'] = true;
  if (dryRun === true) request['dry-run'] = true;
  const { passes } = await call.client.call('mesh-provisioner.compose', request);
  print(call, { passes }, () => (passes.length === 0 ? 'no node to judge' : passWords(passes)));
  const braked = passes.filter((pass) => pass.braked !== undefined).map((pass) => pass.node);
  if (braked.length > 0 && dryRun !== true) throw new Failure('refused', `braked: ${braked.join(', ')}`);
}

export async function reconsider(call: Call<Reasoned>, key: string): Promise<void> {
  const said = await call.client.call('mesh-provisioner.reconsider', { key, by: call.by, why: call.options.why });
  print(call, said, () => `${said.key} is ${said.state}`);
}

export async function accept(call: Call<Reasoned & { entries?: number }>, read: string): Promise<void> {
  const { why, entries } = call.options;
  const request = { read, by: call.by, why, ...(entries === undefined ? {} : { entries }) };
  const said = await call.client.call('mesh-provisioner.accept', request);
  print(call, said, () => `${said.read} is accepted with ${count(said.entries, 'entry', 'entries')}`);
}

async function answer(call: Call<Optional>, id: string, said: Answer): Promise<void> {
  const { by, options } = call;
  await call.client.call('mesh-router.answer', { id, answer: said, by, ...(options.why === undefined ? {} : { why: options.why }) });
  print(call, { id, answer: said, by }, () => `${id}: ${said}, said by ${by}`);
}
