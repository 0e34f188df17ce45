import { describeReleases } from '#domain/forecast/releases/release-text.ts';
import { formatChange, formatPercent, formatPrice } from '#domain/format/price.ts';
import { zonedClock, zonedDate, zonedMoment, zonedRecent, zonedWeekday } from '#domain/format/zoned-time.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import { barsDuration } from '#domain/market/timeframe-text.ts';
import { zoneOffsetS } from '#domain/time/zone-offset.ts';
import { currentTimeZone } from '../../ui/browser/time-zone.ts';
import { ghostOf } from '../overlays/ghost-primitive.ts';
import type { Seam } from '../overlays/seam-primitive.ts';
import {
  barSecondsIn,
  type ChartSeries,
  candleAt,
  forecastCandles,
  realCandles,
  releasesAhead,
} from './candle-feed.ts';
import { seamsOf } from './seams.ts';

/** '14:05' in the page's zone, and the zone's name where the time is ambiguous. */
export function timeLabel(timeS: number): string {
  return zonedMoment(timeS * 1000, currentTimeZone().zone);
}

/** The same, with the day unless it is today: '6 Jan, 14:05'. */
export function dayTimeLabel(timeS: number): string {
  return zonedRecent(timeS * 1000, Date.now(), currentTimeZone().zone);
}

/** '14:05' on an axis, where there is no room for more; 'Fri 27' where a day begins. */
export function tickLabel(timeS: number, isDayStart = false): string {
  const { zone } = currentTimeZone();
  if (!isDayStart) return zonedClock(timeS * 1000, zone);
  return `${zonedWeekday(timeS * 1000, zone)} ${Number(zonedDate(timeS * 1000, zone).slice(-2))}`;
}

/** Those that begin a day of the page's zone; not the first, whose day may have begun before. @param timesS  rising */
export function dayStarts(timesS: readonly number[]): ReadonlySet<number> {
  const { zone } = currentTimeZone();
  // A clock change would move a label by an hour at most.
  const offsetS = zoneOffsetS(zone, timesS.at(-1) ?? 0);
  const dayOf = (timeS: number) => Math.floor((timeS + offsetS) / DAY_S);
  return new Set(timesS.filter((timeS, i) => i > 0 && dayOf(timeS) !== dayOf(timesS[i - 1] ?? timeS)));
}

const DAY_S = 86_400;

/** The text alternative of a chart. @param name  what is drawn, such as 'BTC, one-minute candles' */
export function describeSeries(name: string, series: ChartSeries, decimals: number, isGhostShown = false): string {
  const real = realCandles(series);
  const first = real[0];
  const last = real.at(-1);
  if (first === undefined || last === undefined) return `${name}: no candles yet.`;
  const change = last.close / first.open - 1;
  const past = `${name}: last close ${formatPrice(last.close, decimals)} at ${timeLabel(last.time)}, ${formatPercent(change)} over ${real.length} candles.`;
  const gaps = describeSeams(seamsOf(real, barSecondsIn(series.candles)));
  const ghost = isGhostShown ? describeGhost(series, decimals) : '';
  const forecast = describeForecast(series, last, decimals);
  return [past, gaps, forecast, describeMarks(series), ghost].filter((part) => part !== '').join(' ');
}

/** What is released within the forecast, or within the usual range. */
function describeMarks(series: ChartSeries): string {
  const releases = releasesAhead(series);
  const text = releases && describeReleases(releases, timeLabel);
  return text ? `Scheduled releases: ${text}.` : '';
}

function describeSeams(seams: readonly Seam[]): string {
  if (seams.length === 0) return '';
  if (seams.length > MOST_NAMED) return `Time is missing at ${seams.length} places.`;
  return `Time is missing: ${seams.map(({ afterS, label }) => `${label} before ${timeLabel(afterS)}`).join(', ')}.`;
}

const MOST_NAMED = 3;

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
  /** The close's distance from the last real close, in per cent; '' for the last real candle itself. */
  fromLast: string;
  /** '+12 min' after the last real candle; '' for a real candle. */
  ahead: string;
  /** '98.0 to 102.0' at the candle; '' without a band. */
  band80: string;
  band95: string;
  isUp: boolean;
  isForecast: boolean;
}

/**
 * The figures of one bar; the change is close minus open. A bar of the forecast whose candle is not drawn yet has its
 * bands alone.
 */
export function legendFigures(timeS: number, series: ChartSeries, decimals: number): LegendFigures {
  const candle = candleAt(series, timeS);
  const { open = Number.NaN, high = Number.NaN, low = Number.NaN, close = Number.NaN } = candle ?? {};
  const priceText = (price: number) => (candle === null ? '' : formatPrice(price, decimals));
  const last = realCandles(series).at(-1);
  const hasDistance = candle !== null && last !== undefined && last.time !== timeS;
  const barS = barSecondsIn(series.candles);
  const bar = forecastBar(timeS, series.joinS, barS);
  const { band } = series;
  const range = (lower: readonly number[] | undefined, upper: readonly number[] | undefined): string => {
    const [low, high] = [lower?.[bar - 1], upper?.[bar - 1]];
    return low === undefined || high === undefined
      ? ''
      : `${formatPrice(low, decimals)} to ${formatPrice(high, decimals)}`;
  };
  return {
    time: timeLabel(timeS),
    open: priceText(open),
    high: priceText(high),
    low: priceText(low),
    close: priceText(close),
    change: candle === null ? '' : formatChange(close - open, decimals),
    fromLast: hasDistance ? formatPercent(close / last.close - 1) : '',
    ahead: bar > 0 ? `+${barsDuration(bar, barS / MINUTE_S)}` : '',
    band80: range(band?.lower80, band?.upper80),
    band95: range(band?.lower95, band?.upper95),
    isUp: close >= open,
    isForecast: bar > 0 && (candle === null || series.candles.includes(candle)),
  };
}

/** Bars after the last real candle; 0 for a real candle. */
function forecastBar(timeS: number, joinS: number | null, barS: number): number {
  return joinS === null ? 0 : Math.max(0, Math.round((timeS - joinS) / barS));
}

/** The same figures as one line for screen readers. */
export function spokenCandle(candle: Candle, series: ChartSeries, decimals: number): string {
  const { isForecast, time, ahead, open, high, low, close, fromLast, band80, band95 } = legendFigures(
    candle.time,
    series,
    decimals,
  );
  return [
    isForecast ? `Forecast candle ${time}, ${ahead}` : `Candle ${time}`,
    `: open ${open}, high ${high}, low ${low}, close ${close}`,
    fromLast === '' ? '' : `, ${fromLast} from the last close`,
    band80 === '' ? '' : `; 80% band ${band80}`,
    band95 === '' ? '' : `; 95% band ${band95}`,
  ].join('');
}
