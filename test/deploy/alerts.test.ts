import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { FaultKind } from '../../src/bus/contracts/faults.ts';
import { Metrics } from '../../src/http/metrics.ts';
import { seriesOf } from '../http/series.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

const { groups } = parse(readFileSync('deploy/alerts.yaml', 'utf8')) as { groups: { name: string; rules: Rule[] }[] };
const rules = groups.flatMap(({ rules: inside }) => inside);
const { text } = await new Metrics(
  () => undefined,
  () => 0,
).scrape();
const all = [...seriesOf(text).keys()].map((series) => ({ name: series.replace(/\{.*/, ''), labels: labelsOf(series) }));

/** A metric as an expression names it, with what it asks of labels. */
const SELECTOR = /\b((?:mesh_provisioner|nodejs|process)_[a-z0-9_]+)(?:\{([^}]*)\})?/g;

describe.each(rules.map((rule) => [rule.alert, rule] as const))('%s', (_, { expr, labels, annotations }) => {
  const selectors = [...expr.matchAll(SELECTOR)].map(([, name = '', asked = '']) => ({ name, asked }));

  test('asks for metrics that are there, and for labels that they have', () => {
    expect(selectors.length).toBeGreaterThan(0);
    for (const { name, asked } of selectors) {
      const series = all.filter((one) => one.name === name);
      expect(series.length, name).toBeGreaterThan(0);
      for (const [, label = '', operator, value = ''] of asked.matchAll(/(\w+)(=~|=)"([^"]*)"/g)) {
        for (const wanted of operator === '=~' ? value.split('|') : [value])
          expect(
            series.some((one) => one.labels.get(label) === wanted),
            `${name}{${label}="${wanted}"}`,
          ).toBe(true);
      }
    }
  });

  test('says what is wrong and what to do, by labels that its expression leaves', () => {
    expect(['info', 'warning', 'critical']).toContain(labels.severity);
    expect(annotations.summary.length * annotations.description.length).toBeGreaterThan(0);
    for (const [, label] of annotations.summary.matchAll(/\$labels\.(\w+)/g)) expect(expr).toContain(`by (${label})`);
  });
});

test('every kind of fault has an alert, but the gate, which has one of its own', () => {
  const asked = rules.flatMap(({ expr }) => [...expr.matchAll(/kind=~?"([^"]*)"/g)].flatMap(([, kinds = '']) => kinds.split('|')));
  expect(FaultKind.options.filter((kind) => !asked.includes(kind))).toEqual(['gate']);
});

function labelsOf(series: string): Map<string, string> {
  return new Map([...series.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]));
}
