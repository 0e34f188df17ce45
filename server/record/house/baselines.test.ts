import { expect, test } from 'vitest';
import { SIGMA_UNITS } from '#domain/record/ledger/ledger.ts';
import { BASELINE_CLASSES, harUpper } from '#domain/record/scoring/baseline-table.ts';
import { openBaselines } from './baselines.ts';

const baselines = await openBaselines();
const current = baselines.currentOf('1min');

test('ships the baseline that its version names, for every class', () => {
  const { version } = current;

  expect(baselines.byVersion(version)).toBe(current);
  expect(baselines.textOf(version)).toContain(`"version":"${version}"`);
  expect(Object.keys(current.classes)).toEqual([...BASELINE_CLASSES]);
});

test.each(['5min', '15min'] as const)('ships a baseline of %s for coins alone', (timeframe) => {
  const table = baselines.currentOf(timeframe);

  expect(table.tf).toBe(timeframe);
  expect(baselines.byVersion(table.version)).toBe(table);
  expect(Object.keys(table.classes)).toEqual(['crypto']);
});

test('returns null for an unknown version, whatever its name', () => {
  for (const version of ['har-0000000000', '../../package', 'current', '']) {
    expect([baselines.byVersion(version), baselines.textOf(version)]).toEqual([null, null]);
  }
});

test('scales rising quantiles with sigma, by the symbol’s class', () => {
  const har = [100, 200, 400, 500, 700].map((bp) => (bp / 1e4) * SIGMA_UNITS);
  const [coin, share, oil] = ['ETHUSDT.P', 'MSFT', 'CL1!'].map((sym) => harUpper({ har, sym }, current));

  for (const row of coin ?? []) expect(row).toEqual([...row].sort((a, b) => a - b));
  expect(share).not.toEqual(coin);
  expect(oil).toEqual(coin);
  expect(harUpper({ har: har.map((sigma) => 2 * sigma), sym: 'ETHUSDT.P' }, current)[4]?.[11]).toBeCloseTo(
    2 * (coin?.[4]?.[11] ?? 0),
    12,
  );
});
