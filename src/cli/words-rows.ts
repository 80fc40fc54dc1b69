import type { AnswerOf, Pass } from '../bus/contracts/verbs.ts';
import type { Change } from '../mesh/apply.ts';
import { ago, count, type Paint, table } from './terminal.ts';

export function provisionWords({ rows }: AnswerOf<'mesh-provisioner.provisions'>, now: number, paint: Paint): string {
  const cells = rows.map(({ key, value }) => [
    key,
    value.detail === undefined ? value.state : `${value.state}, ${value.detail}`,
    String(value.generation),
    value.provider === undefined ? '–' : `${value.provider.node}.${value.provider.module}`,
    ago(value.since, now),
    value.why,
  ]);
  return table(['KEY', 'STATE', 'GEN', 'PROVIDER', 'SINCE', 'WHY'], cells, paint);
}

export function planWords({ rows }: AnswerOf<'mesh-provisioner.plans'>, paint: Paint): string {
  const cells = rows.map(({ key, value }) => [
    key,
    value.build,
    String(value.fills.length),
    String(Object.keys(value.values).length),
    String(value.provisions.length),
    value.held ?? '',
  ]);
  return table(['PLAN', 'BUILD', 'FILES', 'VALUES', 'KEYS', 'HELD'], cells, paint);
}

export function rowWords({ rows }: AnswerOf<'mesh-provisioner.provisioning'>, paint: Paint): string {
  return table(
    ['KEY', 'VALUE'],
    rows.map(({ key, value }) => [key, JSON.stringify(value)]),
    paint,
  );
}

export function passWords(passes: readonly Pass[]): string {
  return passes
    .flatMap(({ node, judged, retires, braked }) => [
      `${node}: ${count(judged, 'key')} judged, ${count(retires.length, 'key')} would retire`,
      ...retires.map((key) => `  - ${key}`),
      ...(braked === undefined ? [] : [`  braked: ${braked.says}`, `  clears: ${braked.clears}`]),
    ])
    .join('\n');
}

const signs = { put: '+', change: '~', delete: '-' } as const;

/** One line a change: `+` put, `~` changed, `-` deleted. */
export function changeWords(changes: readonly Change[]): string {
  return changes.map((change) => `${signs[change.do]} ${change.do} ${change.bucket} ${change.key}`).join('\n');
}
