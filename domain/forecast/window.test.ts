import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Candle } from '../market/candle.ts';
import { HISTORY_BARS, HORIZON_BARS, joinPrediction, PREDICTION_BARS } from './window.ts';

const MINUTE_S = 60;
const candlesFrom = (startS: number, count: number): Candle[] =>
  Array.from({ length: count }, (_, i) => ({ time: startS + i * MINUTE_S, open: 1, high: 1, low: 1, close: 1 }));

test('joins the last 150 candles and the first 50 of the forecast, whatever more there is', () => {
  fc.assert(
    fc.property(fc.nat(300), fc.nat(50), (moreBefore, moreAfter) => {
      const history = candlesFrom(0, HISTORY_BARS + moreBefore);
      const forecast = candlesFrom((HISTORY_BARS + moreBefore) * MINUTE_S, HORIZON_BARS + moreAfter);

      const joined = joinPrediction(history, forecast);

      expect(joined).toEqual([...history, ...forecast].slice(moreBefore, moreBefore + PREDICTION_BARS));
    }),
  );
});

test('rejects one candle too few on either side', () => {
  const whole = candlesFrom(0, PREDICTION_BARS);
  for (const cut of [HISTORY_BARS - 1, HISTORY_BARS + 1])
    expect(() => joinPrediction(whole.slice(0, cut), whole.slice(cut))).toThrow('forecast/too-short');
});

test('rejects two candles of one minute, wherever they are', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: PREDICTION_BARS - 1 }), (at) => {
      const candles = candlesFrom(0, PREDICTION_BARS).map((candle, i) =>
        i < at ? candle : { ...candle, time: candle.time - MINUTE_S },
      );

      expect(() => joinPrediction(candles.slice(0, HISTORY_BARS), candles.slice(HISTORY_BARS))).toThrow(
        'forecast/too-short',
      );
    }),
  );
});
