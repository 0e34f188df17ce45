/** The ghost of a chart's series: the baseline around its last close, amplified like the forecast beside it. */
import { amplifyBand } from '#domain/forecast/amplify.ts';
import { type GhostBaseline, ghostBaseline } from '#domain/forecast/ghost-baseline.ts';
import { DEFAULT_AMPLIFY_PERCENT } from '#domain/forecast/window.ts';
import { type ChartSeries, realCandles } from '../candles/candle-feed.ts';

/** Null without a forecast: there is nothing to compare. */
export function ghostOf(series: ChartSeries): GhostBaseline | null {
  const ghost = series.joinS === null ? null : ghostBaseline(realCandles(series));
  if (ghost === null) return null;
  const percent = series.ampPercent ?? DEFAULT_AMPLIFY_PERCENT;
  return { ...ghost, band: amplifyBand(ghost.band, ghost.lastClose, percent) };
}
