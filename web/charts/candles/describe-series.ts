import { formatChange, formatPercent, formatPrice } from '#domain/format/price.ts';
import { zonedClock, zonedMoment, zonedShortDay } from '#domain/format/zoned-time.ts';
import type { Candle } from '#domain/market/candle.ts';
import { currentTimeZone } from '../../ui/browser/time-zone.ts';
import { ghostOf } from '../overlays/ghost-primitive.ts';
import { type ChartSeries, forecastCandles, realCandles } from './candle-feed.ts';

/** '14:05' in the page's zone, or '6 Jan, 14:05' with the day. Ambiguous times include the zone. */
export function timeLabel(timeS: number, withDay = false): string {
  const { zone } = currentTimeZone();
  const clock = zonedMoment(timeS * 1000, zone);
  return withDay ? `${zonedShortDay(timeS * 1000, zone)}, ${clock}` : clock;
}

/** '14:05' on an axis, where there is no room for more. */
export function tickLabel(timeS: number): string {
  return zonedClock(timeS * 1000, currentTimeZone().zone);
}

/** The text alternative of a chart. @param name  what is drawn, such as 'BTC, one-minute candles' */
export function describeSeries(name: string, series: ChartSeries, decimals: number, isGhostShown = false): string {
  const real = realCandles(series);
  const first = real[0];
  const last = real.at(-1);
  if (first === undefined || last === undefined) return `${name}: no candles yet.`;
  const change = last.close / first.open - 1;
  const past = `${name}: last close ${formatPrice(last.close, decimals)} at ${timeLabel(last.time)}, ${formatPercent(change)} over ${real.length} candles.`;
  const ghost = isGhostShown ? describeGhost(series, decimals) : '';
  return [past, describeForecast(series, last, decimals), ghost].filter((part) => part !== '').join(' ');
}

function describeGhost(series: ChartSeries, decimals: number): string {
  const ghost = ghostOf(series);
  const [lower, upper] = [ghost?.band.lower80.at(-1), ghost?.band.upper80.at(-1)];
  if (ghost === null || lower === undefined || upper === undefined) return '';
  const [close, low, high] = [ghost.lastClose, lower, upper].map((price) => formatPrice(price, decimals));
  return `Ghost baseline, dashed: the last close ${close} held flat; the 80% band of a random walk runs from ${low} to ${high} at its end.`;
}

function describeForecast(series: ChartSeries, lastReal: Candle, decimals: number): string {
  const forecast = forecastCandles(series);
  const last = forecast.at(-1);
  if (last === undefined) return '';
  const range = describeBand(series, forecast.length, decimals);
  const move = formatPercent(last.close / lastReal.close - 1);
  return `One plausible path of ${forecast.length} forecast candles closes at ${formatPrice(last.close, decimals)}, ${move}${range}.`;
}

function describeBand(series: ChartSeries, bar: number, decimals: number): string {
  const lower = series.band?.lower80[bar - 1];
  const upper = series.band?.upper80[bar - 1];
  if (lower === undefined || upper === undefined) return '';
  return `; the 80% band there runs from ${formatPrice(lower, decimals)} to ${formatPrice(upper, decimals)}`;
}

export interface LegendFigures {
  time: string;
  open: string;
  high: string;
  low: string;
  close: string;
  change: string;
  isUp: boolean;
  isForecast: boolean;
}

/** The figures of one candle; the change is close minus open. */
export function legendFigures(candle: Candle, joinS: number | null, decimals: number): LegendFigures {
  return {
    time: timeLabel(candle.time),
    open: formatPrice(candle.open, decimals),
    high: formatPrice(candle.high, decimals),
    low: formatPrice(candle.low, decimals),
    close: formatPrice(candle.close, decimals),
    change: formatChange(candle.close - candle.open, decimals),
    isUp: candle.close >= candle.open,
    isForecast: joinS !== null && candle.time > joinS,
  };
}

/** The same figures as one line for screen readers. */
export function spokenCandle(candle: Candle, joinS: number | null, decimals: number): string {
  const figures = legendFigures(candle, joinS, decimals);
  const kind = figures.isForecast ? 'Forecast candle' : 'Candle';
  return `${kind} ${figures.time}: open ${figures.open}, high ${figures.high}, low ${figures.low}, close ${figures.close}`;
}
