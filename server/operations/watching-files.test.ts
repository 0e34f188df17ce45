/** Checks that the dashboard, the alerts and their runbooks use only figures that exist. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { METRICS } from './metric-definitions.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const RUNBOOK = 'docs/operating/alerts.md';
const runbook = read(RUNBOOK);
const manual = read('docs/operating/watching.md');

const targetSchema = z.object({ refId: z.string(), expr: z.string(), legendFormat: z.string() });
const panelSchema = z.looseObject({
  id: z.number(),
  type: z.string(),
  title: z.string(),
  description: z.optional(z.string()),
  gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
  fieldConfig: z.optional(z.looseObject({ defaults: z.looseObject({ unit: z.string() }) })),
  targets: z._default(z.array(targetSchema), []),
});
const { panels } = z.looseObject({ panels: z.array(panelSchema) }).parse(JSON.parse(read('deploy/grafana/kat.json')));
const drawn = panels.filter(({ type }) => type !== 'row');

const ruleSchema = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string(),
  labels: z.strictObject({ severity: z.enum(['urgent', 'warning', 'note']) }),
  annotations: z.strictObject({ summary: z.string(), runbook: z.string() }),
});
const [group] = z
  .object({ groups: z.array(z.object({ name: z.string(), rules: z.array(ruleSchema) })) })
  .parse(parse(read('deploy/alerts.yaml'))).groups;
const rules = group?.rules ?? [];

/** The Grafana units that the figures here use. */
const UNITS = new Set(['s', 'bytes', 'short', 'percentunit', 'reqps', 'ops']);
/** Figures of Prometheus itself that may appear beside ours. */
const OWN_LABELS = ['le', 'job', 'instance'];

/** @returns everything in an expression that isn't one of our figures or a label of them */
function faultsOf(expr: string): string[] {
  const names = new Set(expr.match(/\bkat_[a-z_]+/g) ?? []);
  const known = METRICS.filter((one) => exportedNames(one).some((name) => names.has(name)));
  const exported = new Set(known.flatMap(exportedNames));
  const labels = new Set([...OWN_LABELS, ...known.flatMap((one) => one.labels)]);
  const selectors = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(
    ([, inside = '']) => inside.match(/\w+(?=\s*[=!]~?)/g) ?? [],
  );
  const groups = [...expr.matchAll(/\b(?:by|on)\s*\(([^)]*)\)/g)].flatMap(([, inside = '']) => inside.split(/,\s*/));
  return [
    ...[...names].filter((name) => !exported.has(name)),
    ...[...selectors, ...groups].filter((label) => !labels.has(label)),
    ...(names.size === 0 && !/^up\b/.test(expr) ? ['no figure'] : []),
    ...(isBalanced(expr) ? [] : ['brackets']),
  ];
}

function exportedNames({ name, kind }: (typeof METRICS)[number]): string[] {
  return kind === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name];
}

function isBalanced(expr: string): boolean {
  const count = (of: string) => expr.split(of).length;
  return count('(') === count(')') && count('{') === count('}') && count('[') === count(']');
}

test('finds unknown figures, unknown labels and malformed expressions', () => {
  expect(faultsOf('sum by (queue) (kat_queue_waiting{job="x"})')).toEqual([]);
  expect(faultsOf('rate(kat_http_request_seconds[5m])')).toEqual(['kat_http_request_seconds']);
  expect(faultsOf('sum by (user) (kat_queue_waiting{colour="x"})')).toEqual(['colour', 'user']);
  expect(faultsOf('sum(kat_queue_waiting')).toEqual(['brackets']);
});

test('has a title, a unit, a description and exported figures in every dashboard panel', () => {
  expect(drawn.length).toBeGreaterThan(30);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const { title, description = '', fieldConfig, targets } of drawn) {
    const faults = targets.flatMap(({ expr }) => faultsOf(expr));
    const unit = fieldConfig?.defaults.unit ?? '';
    expect([title, faults, UNITS.has(unit), description !== '', targets.length > 0]).toEqual([
      title,
      [],
      true,
      true,
      true,
    ]);
    expect(title).not.toBe('');
  }
});

test('places no two panels over each other, and none beyond the page width', () => {
  const cells = new Set<string>();
  for (const { title, gridPos } of panels)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
      expect([title, x < 24]).toEqual([title, true]);
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        expect([title, cells.has(`${x} ${y}`)]).toEqual([title, false]);
        cells.add(`${x} ${y}`);
      }
    }
});

test('shows every figure on the dashboard', () => {
  const shown = drawn.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join(' ');
  expect(
    METRICS.filter((one) => !exportedNames(one).some((name) => shown.includes(name))).map(({ name }) => name),
  ).toEqual(['kat_job_runs_total']);
});

test('bases every alert on exported figures, and has a runbook entry for it', () => {
  expect(rules.length).toBeGreaterThan(20);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { alert, expr, annotations, for: lasting } of rules) {
    const [file, anchor] = annotations.runbook.split('#');
    expect([alert, file, faultsOf(expr), /^\d+[mh]$/.test(lasting)]).toEqual([alert, RUNBOOK, [], true]);
    const row = runbook.split('\n').find((line) => line.includes(`<a id="${anchor}"></a>\`${alert}\``));
    expect([alert, row?.split('|').filter((cell) => cell.trim().length > 10).length]).toEqual([alert, 3]);
  }
});

test('documents exactly the exported figures with their labels in the manual', () => {
  const rows = new Map(
    [...manual.matchAll(/^\| `(kat_\w+)` \| (\w+) \| ([^|]*) \| ([^|]*) \|$/gm)].map(
      ([, name = '', kind, labels = '', help]) => [name, { kind, labels: labels.match(/\w+/g) ?? [], help }],
    ),
  );
  const wanted = METRICS.map(({ name, kind, labels, help }) => [
    name,
    { kind: kind === 'total' ? 'counter' : kind, labels: [...labels], help },
  ]);
  expect([...rows]).toEqual(wanted);
});
