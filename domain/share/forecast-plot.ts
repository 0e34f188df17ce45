/**
 * Where everything of a forecast's chart lies, for one size. The page, the embed and the picture draw the same plot, so
 * that none of them can show another forecast than the others.
 */
import { releaseNamesByBar } from '../forecast/releases/release-bars.ts';
import { HORIZON_BARS } from '../forecast/window.ts';
import { formatPrice } from '../format/price.ts';
import { zonedClock } from '../format/zoned-time.ts';
import { areaPath, type CandlePaths, candlePaths, type Point, short } from '../picture/candle-paths.ts';
import { barTimeS, type ForecastContent, type ForecastSubject } from './forecast-view.ts';

export interface PlotSize {
  width: number;
  height: number;
  /** Space for the prices at the right, and for the times at the bottom. */
  axisWidth: number;
  axisHeight: number;
  historyBars: number;
  /** About how many prices and times the axes name. */
  prices: number;
  times: number;
}

export interface AxisLabel {
  at: number;
  text: string;
}

export interface ForecastPlot extends Pick<PlotSize, 'width' | 'height'> {
  /** Of the area without the axes. */
  innerWidth: number;
  innerHeight: number;
  /** Width of one bar. */
  step: number;
  /** Where the forecast begins. */
  joinX: number;
  history: CandlePaths;
  /** Candles of the forecast's path that have not come yet. */
  path: CandlePaths;
  /** Line through the closes of the others, from the last real one; empty without any. */
  passed: string;
  band80: string;
  band95: string;
  /** Line through the outcome's closes, from the last real one; empty without any. */
  outcome: string;
  outcomeEnd: Point | null;
  /** Before the bars in which something is released, as on the live chart. */
  releases: AxisLabel[];
  prices: AxisLabel[];
  times: AxisLabel[];
}

/** Share of the height that stays free above and below. */
const MARGIN = 0.06;
const BODY_SHARE = 0.62;
const BARS_WITHOUT_HISTORY = 4;

export function forecastPlot(subject: ForecastSubject, content: ForecastContent, size: PlotSize): ForecastPlot {
  const innerWidth = size.width - size.axisWidth;
  const innerHeight = size.height - size.axisHeight;
  const history = content.history.slice(-size.historyBars);
  // The candles before an old forecast are no longer stored, and their place would be empty.
  const historyBars = history.length === 0 ? BARS_WITHOUT_HISTORY : size.historyBars;
  const step = innerWidth / (historyBars + HORIZON_BARS);
  const joinX = step * historyBars;
  const range = priceRange({ ...content, history });
  const yOf = (price: number): number => ((range.high - price) / (range.high - range.low)) * innerHeight;
  const xOf = (bar: number): number => joinX + (bar - 0.5) * step;
  const place = { step, bodyWidth: step * BODY_SHARE, yOf };
  const outcome = outcomePoints(content, xOf, yOf);
  const passedBars = content.outcome.at(-1)?.bar ?? 0;
  const passed = [content.lastClose, ...content.path.slice(0, passedBars).map(({ close }) => close)];
  return {
    width: size.width,
    height: size.height,
    innerWidth,
    innerHeight,
    step,
    joinX,
    history: candlePaths(history, { ...place, left: joinX - (history.length - 0.5) * step }),
    path: candlePaths(content.path.slice(passedBars), { ...place, left: xOf(1 + passedBars) }),
    passed: linePath(passed.map((close, i) => ({ x: xOf(i), y: yOf(close) }))),
    band80: bandPath(content, ['lower80', 'upper80'], { joinX, xOf, yOf, step }),
    band95: bandPath(content, ['lower95', 'upper95'], { joinX, xOf, yOf, step }),
    outcome: linePath(outcome),
    outcomeEnd: outcome.length < 2 ? null : (outcome.at(-1) ?? null),
    releases: releaseLabels(subject, content, (bar) => joinX + (bar - 1) * step),
    prices: priceLabels(range, size.prices, subject.decimals, yOf),
    times: timeLabels(subject, { ...size, historyBars }, { xOf, innerWidth }),
  };
}

interface PriceRange {
  low: number;
  high: number;
}

function priceRange({ lastClose, history, path, band, outcome }: ForecastContent): PriceRange {
  const values = [
    lastClose,
    ...[...history, ...path].flatMap(({ high, low }) => [high, low]),
    ...band.lower95,
    ...band.upper95,
    ...outcome.map(({ close }) => close),
  ];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  // A market that did not move still needs a height.
  const margin = (high - low) * MARGIN || Math.abs(high) * 1e-4 || 1;
  return { low: low - margin, high: high + margin };
}

/** Empty below two points. */
function linePath(points: readonly Point[]): string {
  return points.length < 2 ? '' : `M${points.map(({ x, y }) => `${short(x)} ${short(y)}`).join('L')}`;
}

function outcomePoints(
  { lastClose, outcome }: ForecastContent,
  xOf: (bar: number) => number,
  yOf: (price: number) => number,
): Point[] {
  return [{ bar: 0, close: lastClose }, ...outcome].map(({ bar, close }) => ({ x: xOf(bar), y: yOf(close) }));
}

interface BandPlace {
  joinX: number;
  step: number;
  xOf(bar: number): number;
  yOf(price: number): number;
}

function bandPath(
  { lastClose, bandBars, band }: ForecastContent,
  [lower, upper]: readonly ['lower80', 'upper80'] | readonly ['lower95', 'upper95'],
  { joinX, step, xOf, yOf }: BandPlace,
): string {
  if (bandBars.length === 0) return '';
  const edge = (prices: readonly number[]): Point[] => {
    const points = bandBars.map((bar, i) => ({ x: xOf(bar), y: yOf(prices[i] ?? lastClose) }));
    const last = points.at(-1);
    return [
      { x: joinX, y: yOf(lastClose) },
      ...points,
      ...(last === undefined ? [] : [{ ...last, x: last.x + step / 2 }]),
    ];
  };
  return areaPath(edge(band[upper]), edge(band[lower]));
}

function releaseLabels(
  subject: ForecastSubject,
  { releases }: ForecastContent,
  startOf: (bar: number) => number,
): AxisLabel[] {
  const { joinS } = subject;
  const barS = barTimeS(subject, 1) - joinS;
  return [...releaseNamesByBar(releases, joinS, barS)].flatMap(([openS, text]) => {
    const bar = (openS - joinS) / barS;
    return bar < 1 || bar > HORIZON_BARS ? [] : [{ at: startOf(bar), text }];
  });
}

function priceLabels(
  { low, high }: PriceRange,
  count: number,
  decimals: number,
  yOf: (price: number) => number,
): AxisLabel[] {
  const step = roundStep((high - low) / count);
  const labels: AxisLabel[] = [];
  for (let price = Math.ceil(low / step) * step; price < high; price += step)
    labels.push({ at: yOf(price), text: formatPrice(price, decimals) });
  return labels;
}

/** The next of 1, 2, 2.5 and 5 times a power of ten. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 2.5, 5].find((factor) => factor * power >= least) ?? 10);
}

const TIME_STEPS_MINUTES = [10, 15, 20, 30, 60, 120, 180, 240, 360, 720, 1440];
/** Of a label's width on either side, in parts of the width. */
const LABEL_SHARE = 0.03;

function timeLabels(
  subject: ForecastSubject,
  { historyBars, times }: PlotSize,
  { xOf, innerWidth }: { xOf(bar: number): number; innerWidth: number },
): AxisLabel[] {
  const barS = barTimeS(subject, 1) - subject.joinS;
  const spanMinutes = ((historyBars + HORIZON_BARS) * barS) / 60;
  const stepS = 60 * (TIME_STEPS_MINUTES.find((minutes) => minutes * times >= spanMinutes) ?? 1440);
  const firstS = barTimeS(subject, 1 - historyBars);
  const labels: AxisLabel[] = [];
  for (let timeS = Math.ceil(firstS / stepS) * stepS; ; timeS += stepS) {
    const at = xOf((timeS - subject.joinS) / barS);
    if (at > innerWidth * (1 - LABEL_SHARE)) return labels;
    if (at >= innerWidth * LABEL_SHARE) labels.push({ at, text: zonedClock(timeS * 1000, 'UTC') });
  }
}
