/** A forecast's range, or the usual one, in a line, and its outcome. */
import { formatPercent } from '../../format/price.ts';
import type { MarketSymbol } from '../../market/symbols.ts';
import type { Timeframe } from '../../market/timeframes.ts';
import { bandCoverage } from '../../record/scoring/band-coverage.ts';
import { horizonDuration } from '../horizon-duration.ts';
import type { ForecastBand } from '../quantiles.ts';
import { HORIZON_BARS } from '../window.ts';
import { roundTripBp } from './round-trip.ts';

export interface AnswerLine {
  /** The range or the result: '80% between −0.28 and +0.28% in 50 minutes'. */
  lead: string;
  facts: readonly string[];
}

export interface AnsweredForecast {
  symbol: Pick<MarketSymbol, 'assetClass'>;
  timeframe: Timeframe;
  /** The last close that the forecast starts from. */
  lastClose: number;
  band: ForecastBand;
  /** Closes of the bars that were forecast, as far as they are known. */
  closes: readonly number[];
  /** What scheduled releases do to the band, in words. */
  released?: string | null | undefined;
  /** Spread of the order book, basis points; null: unknown. */
  spreadBp: number | null;
}

/** Null for a band without all of its bars, as while it arrives. */
export function answerOfForecast(forecast: AnsweredForecast): AnswerLine | null {
  const { band, closes, lastClose, timeframe } = forecast;
  const [lower, upper] = [band.lower80[HORIZON_BARS - 1], band.upper80[HORIZON_BARS - 1]];
  if (lower === undefined || upper === undefined) return null;
  const { within80 } = bandCoverage(band, closes);
  const last = closes.at(-1);
  if (closes.length < HORIZON_BARS || last === undefined)
    return {
      lead: `${rangeText(lower, upper, lastClose)} in ${horizonDuration(timeframe)}`,
      facts: [
        ...(forecast.released ? [forecast.released] : []),
        costText(lower, upper, forecast),
        ...(closes.length === 0 ? [] : [`${within80} of ${closes.length} so far inside`]),
      ],
    };
  const isInside = last >= lower && last <= upper;
  return {
    lead: `Closed at ${formatPercent(last / lastClose - 1)}, ${isInside ? 'inside' : 'outside'} the 80% range`,
    facts: [`${within80} of ${HORIZON_BARS} closes inside`, `forecast between ${edgesText(lower, upper, lastClose)}`],
  };
}

export interface AnsweredUsual extends Pick<AnsweredForecast, 'released'> {
  timeframe: Timeframe;
  lastClose: number;
  lower80: readonly number[];
  upper80: readonly number[];
}

export function answerOfUsual(usual: AnsweredUsual): AnswerLine | null {
  const [lower, upper] = [usual.lower80[HORIZON_BARS - 1], usual.upper80[HORIZON_BARS - 1]];
  if (lower === undefined || upper === undefined) return null;
  return {
    lead: `${rangeText(lower, upper, usual.lastClose)} in ${horizonDuration(usual.timeframe)}`,
    facts: ['usual range, from past volatility', ...(usual.released ? [usual.released] : []), 'no model'],
  };
}

function rangeText(lower: number, upper: number, lastClose: number): string {
  return `80% between ${edgesText(lower, upper, lastClose)}`;
}

/** '−0.28 and +0.28%'. */
function edgesText(lower: number, upper: number, lastClose: number): string {
  const [down, up] = [lower, upper].map((edge) => formatPercent(edge / lastClose - 1));
  return `${down?.slice(0, -1)} and ${up}`;
}

/** Of the range's farther edge: a move that trading costs exceed earns nothing. */
function costText(lower: number, upper: number, { lastClose, symbol, spreadBp }: AnsweredForecast): string {
  const edgeBp = 10_000 * Math.max(Math.abs(Math.log(lower / lastClose)), Math.abs(Math.log(upper / lastClose)));
  const times = edgeBp / roundTripBp(symbol, spreadBp);
  return times < 1
    ? 'smaller than trading costs'
    : `up to ${times < 10 ? times.toFixed(1) : Math.round(times)} times trading costs`;
}
