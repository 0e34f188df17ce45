/** 150 candles at 100,000, then a path that moves by the given per cent. */
import type { LatestForecast } from '#domain/forecast/latest-forecast.ts';
import type { Candle } from '#domain/market/candle.ts';

const T0 = 1_790_000_040;
const START = 100_000;

const candle = (time: number, close: number): Candle => ({
  time,
  open: close,
  high: close,
  low: close,
  close,
  volume: 1,
});
const edge = (price: number) => Array.from({ length: 50 }, () => price);

export function aForecast(movePercent = 0.15, change: Partial<LatestForecast> = {}): LatestForecast {
  return {
    sym: 'BTCUSDT.P',
    label: 'BTC',
    model: 'bobcat',
    modelVersion: 'bobcat-0',
    t0: T0,
    lastClose: START,
    issuedAtMs: (T0 + 60) * 1000,
    marketKind: 'simulated',
    history: Array.from({ length: 150 }, (_, i) => candle(T0 - (149 - i) * 60, START)),
    path: Array.from({ length: 50 }, (_, i) => candle(T0 + (i + 1) * 60, START * (1 + (movePercent * (i + 1)) / 5000))),
    band: { lower80: edge(99_800), upper80: edge(100_250), lower95: edge(99_500), upper95: edge(100_600) },
    ...change,
  };
}
