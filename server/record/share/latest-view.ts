/** The shared forecast of the current minute, as its embed shows it. */
import { PUBLIC_FORECAST } from '#domain/forecast/models.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import type { ForecastView } from '#domain/share/forecast-view.ts';
import type { Forecast, Forecasts } from '../../forecast/forecast.ts';
import { releasesField } from '../../forecast/stream/forecast-stream.ts';

/** @returns a function that gives the same view while the forecast is the same. @throws AppError as Forecasts.current */
export function latestView(forecasts: Pick<Forecasts, 'current'>): (signal: AbortSignal) => Promise<ForecastView> {
  const views = new WeakMap<Forecast, ForecastView>();
  const symbol = SYMBOLS.find(({ sym }) => sym === PUBLIC_FORECAST.sym) ?? SYMBOLS[0];
  return async (signal) => {
    const forecast = await forecasts.current(PUBLIC_FORECAST.exc, symbol, PUBLIC_FORECAST.model, signal);
    const view = views.get(forecast) ?? toView(forecast);
    views.set(forecast, view);
    return view;
  };
}

function toView(forecast: Forecast): ForecastView {
  const { symbol, model, timeframe, marketKind, t0, issuedAtMs, lastClose, history, path, band } = forecast;
  const { releases } = releasesField(forecast.releases);
  return {
    id: null,
    origin: 'latest',
    state: 'running',
    label: symbol.label,
    model,
    timeframe,
    market: marketKind,
    decimals: symbol.decimals,
    joinS: t0,
    issuedMs: issuedAtMs,
    seal: null,
    content: { lastClose, history, path, bandBars: path.map((_, i) => i + 1), band, releases, outcome: [] },
  };
}
