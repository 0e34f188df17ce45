import { expect, test } from 'vitest';
import type { TimedRelease } from '../../../domain/forecast/releases/widening.ts';
import { inTimeframe } from '../candle-files.ts';
import { gaussianNetwork, generatedFile } from '../testing/measure-fixtures.ts';
import { leftOutFigures } from './left-out.ts';
import { fitReleaseTable } from './release-fit.ts';

const DAY_S = 86_400;
/** It expects every minute to be as the recent ones were. */
const network = gaussianNetwork();

/** Twelve days of candles, each with one release at noon, after which the price jumps by `jump` of itself. */
function market(jump: number) {
  const file = generatedFile('ONE', 12);
  const firstS = file.candles[0]?.time ?? 0;
  const releases = Array.from({ length: 11 }, (_, day): TimedRelease => {
    const kind = day % 2 === 0 ? 'inflation' : 'claims';
    return { timeS: firstS + (day + 1) * DAY_S + DAY_S / 2, kind };
  });
  const levelAt = (timeS: number): number =>
    releases.filter((release) => release.kind === 'inflation' && release.timeS <= timeS).length * jump;
  const candles = file.candles.map((candle) => {
    const [from, to] = [levelAt(candle.time - 60), levelAt(candle.time)].map(Math.exp);
    const open = candle.open * (from ?? 1);
    const [high, low, close] = [candle.high, candle.low, candle.close].map((price) => price * (to ?? 1));
    return {
      ...candle,
      open,
      close: close ?? 0,
      high: Math.max(open, high ?? 0),
      low: Math.min(open, low ?? 0),
    };
  });
  return { file: { ...file, candles }, releases };
}

test('finds the minute and the kind that move the price, and leaves the others alone', async () => {
  const { file, releases } = market(0.005);

  const { content, events } = await fitReleaseTable(network, [file], releases);

  const [inflation = [], claims = []] = [content.kinds.inflation, content.kinds.claims];
  // From minus five minutes on; the third column is the minute of the release.
  expect(inflation[2]).toBeGreaterThan(5);
  expect(Math.max(...inflation.filter((_, column) => column !== 2))).toBeLessThan(2);
  expect(Math.max(...claims)).toBeLessThan(1.5);
  expect(Math.min(...inflation, ...claims)).toBeGreaterThanOrEqual(1);
  expect(Object.fromEntries(events)).toEqual({ claims: 5, inflation: 6 });
});

test('judges each release by a table that was fitted without it', async () => {
  const { file, releases } = market(0.005);
  const { tableWithout } = await fitReleaseTable(network, [file], releases);

  const rows = await leftOutFigures(network, [file], releases, tableWithout);

  const bars = [2, 5, 10, 25, 50];
  expect(rows.map(({ group, bar, releases: count }) => [group, bar, count])).toEqual([
    ...bars.map((bar) => ['great', bar, expect.any(Number)]),
    ...bars.map((bar) => ['other', bar, expect.any(Number)]),
  ]);
  const [last, quiet] = ['great', 'other'].map((group) => rows.find((row) => row.group === group && row.bar === 50));
  expect([last?.releases, quiet?.releases]).toEqual([6, 5]);
  // A band of an ordinary hour does not reach over the jump; one with the factor of the other releases does.
  expect(last?.known.within95[0]).toBeGreaterThan((last?.blind.within95 ?? 100) + 10);
  expect(last?.crpsGainPercent[0]).toBeGreaterThan(5);
  expect(Math.abs(quiet?.crpsGainPercent[0] ?? Number.NaN)).toBeLessThan(5);
});

test('judges bands of longer candles too', async () => {
  const { file, releases } = market(0.005);
  const { tableWithout } = await fitReleaseTable(network, [file], releases);

  const rows = await leftOutFigures(network, [inTimeframe(file, '5min')], releases, tableWithout);

  const first = rows.find(({ group, bar }) => group === 'great' && bar === 10);
  expect(first?.known.within95[0]).toBeGreaterThanOrEqual(first?.blind.within95 ?? 100);
  expect(first?.crpsGainPercent[0]).toBeGreaterThan(0);
});

test('gives no factor to a market that does not move at releases', async () => {
  const { file, releases } = market(0);

  const { content } = await fitReleaseTable(network, [file], releases);

  expect(Math.max(...Object.values(content.kinds).flat())).toBeLessThan(1.5);
});
