import type { KeyState } from '../bus/contracts/provisions.ts';
import type { AnswerOf, Health } from '../bus/contracts/verbs.ts';
import { ago, count, type Paint, table } from './terminal.ts';

const STATES: readonly KeyState[] = ['loading', 'judging', 'held', 'provided', 'retiring'];

/** A node with how many of its keys are in each state. */
export type NodeRow = { readonly node: string } & Readonly<Record<KeyState, number>>;

/** The nodes that have keys, by name. */
export function nodeRows({ rows }: AnswerOf<'mesh-provisioner.provisions'>, nameOf: (key: string) => string): NodeRow[] {
  const nodes = new Map<string, { node: string } & Record<KeyState, number>>();
  for (const { key, value } of rows) {
    const node = nameOf(key);
    const row = nodes.get(node) ?? { node, loading: 0, judging: 0, held: 0, provided: 0, retiring: 0 };
    row[value.state] += 1;
    nodes.set(node, row);
  }
  return [...nodes.values()].sort((a, b) => (a.node < b.node ? -1 : 1));
}

/** Everything in one screen: gate, seat, asks, faults, and the nodes. */
export function statusWords(health: Health, nodes: readonly NodeRow[], now: number, paint: Paint): string {
  const { faults, seat } = health;
  const lines = [
    `gate    ${gateWords(health, now, paint)}`,
    `seat    ${seat.instance}, epoch ${seat.epoch}`,
    `asks    ${askCount(health, now)}`,
    `faults  ${faults.length === 0 ? 'none' : paint('red', String(faults.length))}`,
    ...faults.map((fault) => `        ${paint('red', fault.kind)}: ${fault.says}`),
    '',
  ];
  if (nodes.length === 0) return [...lines, 'no node has a key'].join('\n');
  const rows = nodes.map((row) => [row.node, ...STATES.map((state) => String(row[state]))]);
  return [...lines, table(['NODE', ...STATES.map((state) => state.toUpperCase())], rows, paint)].join('\n');
}

/** Whether all is well; else each fault with its likely cause and what would clear it. */
export function healthWords(health: Health, now: number, paint: Paint): string {
  const { healthy, faults, gate } = health;
  const head = healthy ? paint('green', 'healthy') : `${paint('red', 'not healthy')}: ${count(faults.length, 'fault')}`;
  const missing = gate.missing.map(({ read, why, since }) => `  ${read}: ${why}, since ${ago(since, now)}`);
  const said = faults.flatMap((fault) => [
    '',
    `${paint('red', fault.kind)}  ${fault.says}`,
    `  since   ${ago(fault.since, now)} (${fault.since})`,
    `  likely  ${fault.cause}`,
    `  clears  ${fault.clears}`,
    ...(fault.consumers ?? []).map((consumer) => `  covers  ${consumer}`),
  ]);
  return [head, `gate ${gateWords(health, now, paint)}`, ...missing, `asks ${askCount(health, now)}`, ...said].join('\n');
}

function gateWords({ gate }: Health, now: number, paint: Paint): string {
  if (gate.open) return paint('green', 'open');
  const reads = gate.missing.map(({ read, since }) => `${read} (${ago(since, now)})`);
  return `${paint('yellow', 'shut')}: ${count(gate.missing.length, 'read')} missing: ${reads.join(', ')}`;
}

function askCount({ asks }: Health, now: number): string {
  const oldest = asks.oldestWaiting === undefined ? '' : `, the oldest since ${ago(asks.oldestWaiting, now)}`;
  return `${asks.open} open, ${asks.waiting} waiting${oldest}`;
}
