/** Fake forecasts of generated candles. All callers get the same one until the test moves to the next minute. */
import { AppError } from '#domain/errors/app-error.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { NO_CORRECTION } from '#domain/record/bands/band-correction.ts';
import { UPPER_LEVELS } from '#domain/record/ledger/ledger.ts';
import type { Forecast, Forecasts } from '../forecast.ts';
import { generatedCandles } from '../models/generated-candles.ts';

const FIRST_T0 = 1_790_000_040;

export interface FakeForecasts extends Forecasts {
  computations: number;
  /** The error that the next call throws, once. */
  failNext: Error | null;
  turnMinute(): void;
}

export function fakeForecasts(): FakeForecasts {
  let minute = 0;
  const cache = new Map<string, Forecast>();
  return {
    computations: 0,
    failNext: null,
    turnMinute() {
      minute += 1;
    },
    isKnown: (exc, symbol, model) => cache.has(`${exc} ${symbol.sym} ${model} ${minute}`),
    async current(exc: string, symbol: MarketSymbol, model: ModelName): Promise<Forecast> {
      const error = this.failNext;
      this.failNext = null;
      if (error) throw error;
      const key = `${exc} ${symbol.sym} ${model} ${minute}`;
      const known = cache.get(key);
      if (known) return known;
      this.computations += 1;
      const forecast = makeForecast(exc, symbol, model, FIRST_T0 + minute * MINUTE_S);
      cache.set(key, forecast);
      return forecast;
    },
  };
}

export function makeForecast(exc: string, symbol: MarketSymbol, model: ModelName, t0: number): Forecast {
  const seed = `${symbol.sym} ${model} ${t0}`;
  const candles = generatedCandles({ seed, count: 200, startS: t0 - 149 * MINUTE_S, tickSize: symbol.tickSize });
  const last = candles[149];
  if (!last) throw new Error('too few generated candles');
  const edge = (factor: number) => Array.from({ length: 50 }, () => last.close * factor);
  return {
    symbol,
    exc,
    model,
    modelVersion: 'fake-1',
    t0,
    lastClose: last.close,
    issuedAtMs: (t0 + MINUTE_S) * 1000,
    marketKind: 'simulated',
    venueId: 'fake',
    weightsSha256: 'f'.repeat(64),
    lookback: candles.slice(0, 150),
    history: candles.slice(0, 150),
    path: candles.slice(150),
    band: { lower80: edge(0.99), upper80: edge(1.01), lower95: edge(0.98), upper95: edge(1.02) },
    correction: NO_CORRECTION,
    volatility: {
      minuteVariance: new Float64Array(50).fill(1e-6),
      upperQuantiles: Array.from({ length: 50 }, (_, i) =>
        UPPER_LEVELS.map((level) => (level - 0.5) * 0.004 * Math.sqrt(i + 1)),
      ),
      rv50: 0.007,
      range50: 0.01,
    },
  };
}

/** A registry in which only Bobcat is trained. */
export const onlyBobcat = {
  ready(model: ModelName): void {
    if (model !== 'bobcat') throw new AppError('forecast/not-trained', { details: { model } });
  },
};
