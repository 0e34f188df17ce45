/** One frame of the film as SVG: history, join, bands, path and outcome up to this moment. */
import type { ForecastBand } from '../../domain/forecast/quantiles.ts';
import { HORIZON_BARS } from '../../domain/forecast/window.ts';
import type { Candle } from '../../domain/market/candle.ts';
import { areaPath, candlePaths, type DrawableCandle, short } from '../../domain/picture/candle-paths.ts';
import { PALETTES } from '../../domain/picture/palettes.ts';
import { candlesSvg, forecastGroundSvg, path } from '../../scripts/pictures/svg.ts';
import { FILM_HISTORY, type FilmMoment } from './film-scenes.ts';

export const FILM_SIZE = { width: 1280, height: 720 } as const;
const { width: WIDTH, height: HEIGHT } = FILM_SIZE;
const STEP = WIDTH / (FILM_HISTORY + HORIZON_BARS);
export const JOIN_X = FILM_HISTORY * STEP;
const CAPTION_HEIGHT = 106;
/** Below the caption and the label of the join. */
const TOP = 150;
const BOTTOM = 50;
const PALETTE = PALETTES.dark;
const PEN = 1.5;

export interface FilmedForecast {
  history: readonly Candle[];
  path: readonly Candle[];
  outcome: readonly Candle[];
  band: ForecastBand;
}

export function frameSvg(filmed: FilmedForecast, moment: FilmMoment): string {
  const history = filmed.history.slice(-FILM_HISTORY);
  const yOf = scaleOf({ ...filmed, history });
  const candles = (of: readonly Candle[], bars: number, left: number, isForecast: boolean): string =>
    candlesSvg(
      candlePaths(drawnUntil(of, bars), { left: left + STEP / 2, step: STEP, bodyWidth: STEP * 0.6, yOf }),
      PALETTE,
      isForecast,
      PEN,
    );
  const lastClose = history.at(-1)?.close ?? 0;
  const closes = [lastClose, ...filmed.path.map(({ close }) => close)];
  const line = closes.map((close, i) => `${short(aheadX(i))} ${short(yOf(close))}`).join('L');
  const { join, bandBars, pathBars, candleShare, outcomeBars, historyBars } = moment;
  const bands = { joinX: JOIN_X, ...bandPaths(filmed.band, lastClose, bandBars, yOf) };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${PALETTE.surface}"/>`,
    `<g opacity="${join}">${forecastGroundSvg(bands, PALETTE, FILM_SIZE)}</g>`,
    // The rule at the join begins below the captions.
    `<rect width="${WIDTH}" height="${CAPTION_HEIGHT}" fill="${PALETTE.surface}"/>`,
    candles(history, historyBars, 0, false),
    `<g opacity="${candleShare}">${candles(filmed.path, pathBars, JOIN_X, true)}</g>`,
    `<g opacity="${1 - candleShare}">`,
    path(`M${line}`, `fill="none" stroke="${PALETTE.accent}" stroke-width="2" stroke-dasharray="7 5"`),
    '</g>',
    candles(filmed.outcome, outcomeBars, JOIN_X, false),
    '</svg>',
  ].join('');
}

/** The first `bars` candles; a fractional part draws a candle between its open and its close. */
export function drawnUntil(candles: readonly Candle[], bars: number): DrawableCandle[] {
  const whole = Math.floor(bars);
  const share = bars - whole;
  const last = candles[whole];
  if (last === undefined || share === 0) return candles.slice(0, whole);
  const { open } = last;
  const from = (price: number): number => open + share * (price - open);
  return [...candles.slice(0, whole), { open, high: from(last.high), low: from(last.low), close: from(last.close) }];
}

function scaleOf({ history, path: drawn, outcome, band }: FilmedForecast): (price: number) => number {
  const candles = [...history, ...drawn, ...outcome];
  const high = Math.max(...candles.map((candle) => candle.high), ...band.upper95);
  const low = Math.min(...candles.map((candle) => candle.low), ...band.lower95);
  return (price) => TOP + ((high - price) / (high - low)) * (HEIGHT - TOP - BOTTOM);
}

function bandPaths(band: ForecastBand, lastClose: number, bars: number, yOf: (price: number) => number) {
  const edge = (prices: readonly number[]) => {
    const at = (bar: number): number => (bar === 0 ? lastClose : (prices[bar - 1] ?? lastClose));
    const whole = Math.floor(bars);
    const points = Array.from({ length: whole + 1 }, (_, bar) => ({ x: aheadX(bar), y: yOf(at(bar)) }));
    const rest = bars - whole;
    if (rest > 0) points.push({ x: aheadX(bars), y: yOf(at(whole) + rest * (at(whole + 1) - at(whole))) });
    return points;
  };
  return {
    band80: areaPath(edge(band.upper80), edge(band.lower80)),
    band95: areaPath(edge(band.upper95), edge(band.lower95)),
  };
}

function aheadX(bar: number): number {
  return JOIN_X + bar * STEP;
}
