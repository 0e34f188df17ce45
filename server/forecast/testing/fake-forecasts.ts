/** Fake forecasts of generated candles. All callers get the same one until the test moves to the next minute. */
import { AppError } from '#domain/errors/app-error.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import { NO_RELEASES } from '#domain/forecast/releases/forecast-releases.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
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
    isKnown: (exc, symbol, model, timeframe = DEFAULT_TIMEFRAME) =>
      cache.has(`${exc} ${symbol.sym} ${model} ${timeframe} ${t0Of(minute, timeframe)}`),
    async current(exc, symbol, model, _signal, timeframe = DEFAULT_TIMEFRAME): Promise<Forecast> {
      const error = this.failNext;
      this.failNext = null;
      if (error) throw error;
      const t0 = t0Of(minute, timeframe);
      const key = `${exc} ${symbol.sym} ${model} ${timeframe} ${t0}`;
      const known = cache.get(key);
      if (known) return known;
      this.computations += 1;
      const forecast = makeForecast(exc, symbol, model, t0, timeframe);
      cache.set(key, forecast);
      return forecast;
    },
  };
}

/** The last bar that had closed when the test's minute opened. */
function t0Of(minute: number, timeframe: Timeframe): number {
  const closedS = FIRST_T0 + (minute + 1) * MINUTE_S;
  const barS = barSecondsOf(timeframe);
  return Math.floor(closedS / barS) * barS - barS;
}

export function makeForecast(
  exc: string,
  symbol: MarketSymbol,
  model: ModelName,
  t0: number,
  timeframe: Timeframe = DEFAULT_TIMEFRAME,
): Forecast {
  const barS = barSecondsOf(timeframe);
  const seed = [symbol.sym, model, t0, ...(timeframe === DEFAULT_TIMEFRAME ? [] : [timeframe])].join(' ');
  const { tickSize } = symbol;
  const candles = generatedCandles({ seed, count: 200, startS: t0 - 149 * barS, tickSize, barS });
  const last = candles[149];
  if (!last) throw new Error('too few generated candles');
  const edge = (factor: number) => Array.from({ length: 50 }, () => last.close * factor);
  return {
    symbol,
    exc,
    timeframe,
    model,
    modelVersion: 'fake-1',
    t0,
    lastClose: last.close,
    issuedAtMs: (t0 + barS) * 1000,
    marketKind: 'simulated',
    venueId: 'fake',
    weightsSha256: 'f'.repeat(64),
    lookback: candles.slice(0, 150),
    history: candles.slice(0, 150),
    path: candles.slice(150),
    releases: NO_RELEASES,
    varianceFactors: null,
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
  async open(model: ModelName): Promise<void> {
    if (model !== 'bobcat') throw new AppError('forecast/not-trained', { details: { model } });
  },
};
