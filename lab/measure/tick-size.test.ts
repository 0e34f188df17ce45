import { expect, test } from 'vitest';
import { LOOKBACK_BARS } from '../../domain/forecast/window.ts';
import type { Candle } from '../../domain/market/candle.ts';
import { tickSizeOf } from './tick-size.ts';

function fileOf(closes: readonly number[]) {
  const candles = closes.map((close, i): Candle => ({ time: i * 60, open: close, high: close, low: close, close }));
  return { name: 'BTCUSDT', assetClass: 'crypto' as const, sha256: '', timeframe: '1min' as const, candles };
}
const before = (close: number): number[] => Array.from({ length: LOOKBACK_BARS }, () => close);

test('reads the tick from the closes of the lookback, exponents included', () => {
  const index = LOOKBACK_BARS - 1;

  expect(tickSizeOf({ file: fileOf(before(11.25).with(7, 11.5)), index })).toBe(0.01);
  expect(tickSizeOf({ file: fileOf(before(250)), index })).toBe(1);
  expect(tickSizeOf({ file: fileOf(before(8.5e-7)), index })).toBe(1e-8);
});

test('ignores finer prices after the forecast, and those that have left the lookback', () => {
  const file = fileOf([1.123456, ...before(11.5), 11.123]);

  expect(tickSizeOf({ file, index: LOOKBACK_BARS })).toBe(0.1);
  expect(tickSizeOf({ file, index: LOOKBACK_BARS + 1 })).toBe(0.001);
});
