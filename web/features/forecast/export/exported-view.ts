/** The forecast on the chart as its page would show it, made of what the chart holds and nothing else. */
import { DEFAULT_AMPLIFY_PERCENT, HORIZON_BARS } from '#domain/forecast/window.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import { barSecondsOf } from '#domain/market/timeframes.ts';
import {
  type ForecastContent,
  type ForecastSubject,
  type ForecastView,
  forecastEndS,
} from '#domain/share/forecast-view.ts';
import { type ChartSeries, forecastCandles, judgedCandles, realCandles } from '../../../charts/candles/candle-feed.ts';
import type { ChartMarket } from '../run/chart-market.ts';
import type { ShownForecast } from '../run/forecast-state.ts';

export interface ChartForecast extends ChartMarket {
  series: ChartSeries;
  shown: Pick<ShownForecast, 'model' | 'issuedAtMs'>;
  marketKind: MarketKind;
  origin: ForecastSubject['origin'];
  /** Of its page; null while it isn't shared. */
  id: string | null;
}

/** An outcome that has not come by then is not coming. */
const OUTCOME_WAIT_S = 3600;
const NO_OUTCOME = 'No outcome of this forecast is known.';
const NO_EDGES = { lower80: [], upper80: [], lower95: [], upper95: [] };

/** Null without a candle of a forecast. */
export function exportedView(forecast: ChartForecast, nowMs: number): ForecastView | null {
  const { series, symbol, timeframe, shown, marketKind, origin, id } = forecast;
  const { joinS, band, releases, ampPercent = DEFAULT_AMPLIFY_PERCENT } = series;
  const outcome = judgedCandles(series);
  const history = realCandles(series);
  const path = forecastCandles(series);
  const last = history.at(-1);
  if (joinS === null || last === undefined || path.length === 0) return null;
  const subject: ForecastSubject = {
    id,
    origin,
    label: symbol.label,
    model: shown.model,
    timeframe,
    market: marketKind,
    joinS,
    decimals: symbol.decimals,
    issuedMs: shown.issuedAtMs,
    seal: null,
    ...(ampPercent !== DEFAULT_AMPLIFY_PERCENT && { ampPercent }),
  };
  const barS = barSecondsOf(timeframe);
  const content: ForecastContent = {
    lastClose: last.close,
    history,
    path,
    band: band ?? NO_EDGES,
    releases,
    bandBars: band === null ? [] : band.lower80.map((_, i) => i + 1),
    outcome: outcome.map(({ time, close }) => ({ bar: (time - joinS) / barS, close })),
  };
  const overForS = nowMs / 1000 - forecastEndS(subject);
  if (outcome.length >= HORIZON_BARS) return { ...subject, state: 'known', content };
  // A replayed market has another clock.
  if (overForS < 0 || marketKind === 'replayed') return { ...subject, state: 'running', content };
  if (overForS < OUTCOME_WAIT_S) return { ...subject, state: 'waiting', content };
  return { ...subject, state: 'void', reason: NO_OUTCOME, content };
}
