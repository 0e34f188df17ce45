import { expect, test } from 'vitest';
import { usualRangeSchema } from '#domain/forecast/ranges/usual-range.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { TIMEFRAMES } from '#domain/market/timeframes.ts';
import { UPPER_LEVELS } from '#domain/record/ledger/ledger.ts';
import { baselineNumbersOf } from '#domain/record/scoring/baseline-table.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import { generatedCandles } from '../../forecast/models/generated-candles.ts';
import { buildFeatures } from '../../forecast/network/features.ts';
import { openBaselines } from '../house/baselines.ts';
import { harForecast } from '../house/har-forecast.ts';
import { usualRange } from './usual-range.ts';

const BTC = symbolNamed('BTC');
const baselines = await openBaselines();
const minutes = generatedCandles({ seed: 'usual', count: 450, firstOpen: 60_000, tickSize: 0.1 });
const candlesOf = (minutesPerBar: number) =>
  minutes.map((candle) => ({ ...candle, time: candle.time * minutesPerBar }));

test.each(TIMEFRAMES)('has the quantiles of the record’s baseline at the scored bars of %s', (timeframe) => {
  const table = baselines.currentOf(timeframe);
  const candles = candlesOf({ '1min': 1, '5min': 5, '15min': 15 }[timeframe]);
  const range = usualRange(candles, BTC, timeframe, table);

  expect(usualRangeSchema.parse(range)).toEqual(range);
  const { sigma } = harForecast(table.classes.crypto, buildFeatures(candles, 'crypto', timeframe));
  for (const [i, bar] of SCORED_BARS.entries()) {
    const quantile = table.classes.crypto.upper[i]?.[UPPER_LEVELS.indexOf(0.9)] ?? Number.NaN;
    expect(range.upper80[bar - 1]).toBeCloseTo(range.lastClose * Math.exp(quantile * (sigma[bar - 1] ?? 0)), 2);
  }
});

test('is around the last close, and grows from bar to bar', () => {
  const { lower80, upper80, lastClose, t0 } = usualRange(minutes, BTC, '1min', baselines.currentOf('1min'));
  expect([t0, lastClose]).toEqual([minutes.at(-1)?.time, minutes.at(-1)?.close]);
  expect(lower80[0]).toBeLessThan(lastClose);
  for (let i = 1; i < 50; i++) {
    expect(upper80[i]).toBeGreaterThan(upper80[i - 1] ?? 0);
    expect(lower80[i]).toBeLessThan(lower80[i - 1] ?? 0);
  }
});

test('is wider from a scheduled release on, and names it', () => {
  const table = baselines.currentOf('1min');
  const plain = usualRange(minutes, BTC, '1min', table);
  const list = [{ atS: plain.t0 + 660, kind: 'inflation', title: 'CPI m/m', name: 'US CPI' }];
  const varianceFactors = Array.from({ length: 50 }, (_, bar) => (bar < 10 ? 1 : 9));
  const wide = usualRange(minutes, BTC, '1min', table, { list, isComplete: true, varianceFactors });

  expect(wide.upper80.slice(0, 10)).toEqual(plain.upper80.slice(0, 10));
  const width = ({ upper80, lastClose }: typeof plain) => Math.log((upper80[49] ?? 0) / lastClose);
  expect(width(wide) / width(plain)).toBeCloseTo(wide.releases?.factor ?? 0, 3);
  expect(wide.releases).toMatchObject({ list, isComplete: true });
  const none = { list: [], isComplete: true, varianceFactors: null };
  expect(usualRange(minutes, BTC, '1min', table, none)).toEqual(plain);
});

test('is no narrower than a quarter of a calm market’s after one wild bar, and of any price', () => {
  const tiny = minutes.map(({ time, open, high, low, close }) => {
    const scale = 1e-9;
    return { time, open: open * scale, high: high * scale, low: low * scale, close: close * scale };
  });
  const [usual, small] = [minutes, tiny].map((candles) =>
    usualRange(candles, BTC, '1min', baselines.currentOf('1min')),
  );
  const share = (range: typeof usual) => (range?.upper80[49] ?? 0) / (range?.lastClose ?? 1);
  expect(share(small)).toBeCloseTo(share(usual), 6);
});

test('refuses too few candles', () => {
  expect(() => usualRange(minutes.slice(-119), BTC, '1min', baselines.currentOf('1min'))).toThrow(
    expect.objectContaining({ code: 'market/too-few-candles' }),
  );
});

test('uses the numbers of the coins for a class without its own', () => {
  const table = baselines.currentOf('1min');
  expect(baselineNumbersOf(table, 'energy')).toBe(table.classes.crypto);
});
