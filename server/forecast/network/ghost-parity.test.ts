/** Checks that the page's ghost baseline and the measured baseline use the same volatility. */
import { expect, test } from 'vitest';
import { ghostBaseline } from '#domain/forecast/ghost-baseline.ts';
import { generatedCandles } from '../models/generated-candles.ts';
import { buildFeatures } from './features.ts';

test('gives the ghost the scale of the features over the same 450 candles, with and without gaps', () => {
  const whole = generatedCandles({ seed: 'ghost', count: 450, firstOpen: 60_000, tickSize: 0.1 });
  const broken = whole.map((candle, i) => (i < 300 ? candle : { ...candle, time: candle.time + 7200 }));

  for (const candles of [whole, broken]) {
    expect(ghostBaseline(candles)?.scale).toBeCloseTo(buildFeatures(candles, 'crypto').scale, 14);
  }
});
