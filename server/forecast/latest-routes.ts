/** Public. Many visitors cost as much as one: the forecast is the shared one, and its answer is built once. */

import { Hono } from 'hono';
import { AppError } from '#domain/errors/app-error.ts';
import type { LatestForecast } from '#domain/forecast/latest-forecast.ts';
import { PUBLIC_FORECAST } from '#domain/forecast/models.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import { type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import type { Clock } from '#domain/time/clock.ts';
import { answerRoute } from '../platform/http/calls/contract-route.ts';
import { answerPrepared, type PreparedJson, prepareJson } from '../platform/http/calls/prepared-json.ts';
import type { Forecast, Forecasts } from './forecast.ts';
import { releasesField, toSaved } from './stream/forecast-stream.ts';

export interface LatestRouteDeps {
  forecasts: Pick<Forecasts, 'current'>;
  clock: Clock;
}

/** Plans sell forecasts. One is public as an example; a second would make a free feed (R-FORECAST-40). */
const NOT_PUBLIC = `Only the forecast of ${PUBLIC_FORECAST.sym} is public. Forecasts of other symbols need a plan.`;
/** The venue may be a second behind its minute. */
const LEAST_AGE_S = 1;

/**
 * Refusals are left to the app: `request/invalid` and `market/unknown-symbol` 400, `auth/forbidden` 403 with the
 * reason, `forecast/not-trained`, `forecast/failed` and `venue/unavailable` 503, `market/closed` and
 * `market/too-few-candles` 409.
 */
export function latestRoutes({ forecasts, clock }: LatestRouteDeps): Hono {
  let prepared: { forecast: Forecast; answer: PreparedJson } | null = null;
  const answerOf = (forecast: Forecast): PreparedJson => {
    if (prepared?.forecast !== forecast) prepared = { forecast, answer: prepareJson(toLatest(forecast)) };
    return prepared.answer;
  };
  const app = new Hono();
  answerRoute(app, '/forecast/latest', async (c, { sym }) => {
    const { signal } = c.req.raw;
    const symbol = publicSymbol(sym);
    const forecast = await forecasts.current(PUBLIC_FORECAST.exc, symbol, PUBLIC_FORECAST.model, signal);
    return answerPrepared(c, answerOf(forecast), `public, max-age=${secondsLeft(forecast, clock.nowMs())}`);
  });
  return app;
}

/** @throws AppError `request/invalid`, `market/unknown-symbol`, `auth/forbidden` */
function publicSymbol(sym: string): MarketSymbol {
  const symbol = SYMBOLS.find((known) => known.sym === sym);
  if (symbol === undefined) throw new AppError('market/unknown-symbol', { details: { parameter: 'sym' } });
  if (symbol.sym !== PUBLIC_FORECAST.sym) {
    throw new AppError('auth/forbidden', { details: { parameter: 'sym', reason: NOT_PUBLIC } });
  }
  return symbol;
}

/** Until the candle after t0 closes: then there is another forecast. */
function secondsLeft({ t0 }: Forecast, nowMs: number): number {
  const left = Math.floor(t0 + 2 * MINUTE_S - nowMs / 1000);
  return Math.min(MINUTE_S, Math.max(LEAST_AGE_S, left));
}

function toLatest(forecast: Forecast): LatestForecast {
  const { symbol, model, modelVersion, t0, lastClose, issuedAtMs, marketKind, history, path, band } = forecast;
  return {
    sym: symbol.sym,
    label: symbol.label,
    model,
    modelVersion,
    t0,
    lastClose,
    issuedAtMs,
    marketKind,
    history: history.map(toSaved),
    path: path.map(toSaved),
    ...releasesField(forecast.releases),
    band,
  };
}
