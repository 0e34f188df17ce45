/** Draws the candles with the chart library, after the page's first paint. Makes no request, adds no style element. */
import {
  type CandlestickData,
  CandlestickSeries,
  createChart,
  LineSeries,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { formatPrice } from '#domain/format/price.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import { BandPrimitive, type ForecastGround } from '../overlays/band-primitive.ts';
import { GhostPrimitive, ghostOf } from '../overlays/ghost-primitive.ts';
import type { ChartGuest } from '../overlays/price-scale.ts';
import { SeamPrimitive } from '../overlays/seam-primitive.ts';
import { UsualPrimitive } from '../overlays/usual-primitive.ts';
import { readPalette } from '../palette.ts';
import { candleColours } from './candle-colours.ts';
import { barSecondsIn, type ChartSeries, passedS, realCandles, sinceJoin, usualAhead } from './candle-feed.ts';
import { candleSeriesOptions, chartColours, chartOptions } from './canvas-options.ts';
import { ChartView } from './chart-view.ts';
import {
  barsFromLeft,
  isCutAtLeft,
  isCutAtRight,
  isTooThinForBodies,
  PAD_BARS,
  reservedBars,
  ticksBesideTags,
  wholeWindow,
} from './chart-window.ts';
import { dayStarts, tickLabel } from './describe-series.ts';
import { OutcomeSeries } from './outcome-series.ts';
import { PriceTag } from './price-tag.ts';
import { releaseMarks } from './release-marks.ts';
import { seamsOf } from './seams.ts';

export interface CandleCanvasOptions {
  decimals: number;
  /** Bars reserved at the right once a forecast runs. */
  horizonBars: number;
  isMotionReduced: boolean;
  /** Of the host, CSS pixels, if it is known already: then the chart is never drawn in another size. */
  size?: ChartSize;
  /** How many of the last real candles are in view at first; null: all. */
  shownBars?(): number | null;
  /** Draws the outcome as candles over those of the forecast, which fade; otherwise as a line through its closes. */
  isOutcomeCandles?: boolean;
  /** Opening second of the bar under the pointer: a candle's, or one that the forecast has yet to draw; null: none. */
  onPoint(timeS: number | null): void;
  /** The user moved or zoomed the view away from the whole window, or it is whole again. */
  onView?(isWhole: boolean): void;
}

export interface ChartSize {
  width: number;
  height: number;
}

export interface ChartPlace {
  x: number;
  y: number;
}

export interface CandleCanvas {
  reset(series: ChartSeries): void;
  append(candle: Candle, series: ChartSeries): void;
  /** A bar has closed: the view follows if it shows the whole chart, else it stays at its candles. */
  close(series: ChartSeries): void;
  /** Draws the candle that forms, and its price on the axis. */
  move(series: ChartSeries): void;
  showUsual(series: ChartSeries): void;
  /** Puts the crosshair on a candle; null removes it. */
  point(candle: Candle | null): void;
  /** Where a candle's close is drawn, CSS pixels from the host's upper left; null while it is out of view. */
  placeOf(candle: Candle): ChartPlace | null;
  /** Draws the ghost baseline over every forecast, or hides it. */
  showGhost(isShown: boolean): void;
  /** Attaches what the page lays over the candles; null takes it off. */
  attach(guest: ChartGuest | null): void;
  repaint(): void;
  /** Shows the whole window again, as `shownBars` has it now. */
  refit(): void;
  resize(width: number, height: number): void;
  destroy(): void;
}

/** @param create  creates the library's chart; tests pass a fake */
export function createCandleCanvas(
  host: HTMLElement,
  options: CandleCanvasOptions,
  create: typeof createChart = createChart,
): CandleCanvas {
  let palette = readPalette(host);
  let current: ChartSeries = { candles: [], joinS: null, band: null };
  /** Seconds from one bar to the next. */
  let barS = MINUTE_S;
  let isThin = false;
  let isGhostShown = false;
  let attached: ChartGuest | null = null;
  /** Bars that begin a day. */
  let dayStartsS: ReadonlySet<number> = new Set();
  const shownBars = () => options.shownBars?.() ?? null;
  const format = (price: number) => formatPrice(price, options.decimals);

  let size: ChartSize = options.size ?? { width: 1, height: 1 };
  // Hidden until drawn: browsers count a change of size as a layout shift, even of an invisible element.
  const holder = host.appendChild(document.createElement('div'));
  holder.hidden = true;
  const labels = { format, labelTicks, labelTime };
  const chart = create(holder, { ...size, ...chartOptions(palette, labels, options.isMotionReduced) });
  const candleOptions = candleSeriesOptions(options.decimals);
  const candles = chart.addSeries(CandlestickSeries, candleOptions);
  // Reserves the places of forecast candles, so that nothing moves when they arrive, and the empty bars at the left.
  const places = chart.addSeries(LineSeries, { priceLineVisible: false, lastValueVisible: false, visible: false });
  const outcome = new OutcomeSeries(chart, { isCandles: options.isOutcomeCandles === true, candleOptions });
  const seam = new SeamPrimitive(palette);
  candles.attachPrimitive(seam);
  const usual = new UsualPrimitive(palette);
  candles.attachPrimitive(usual);
  const band = new BandPrimitive(palette, format);
  candles.attachPrimitive(band);
  const otherTags = () => [...band.taggedPrices(), ...(attached?.taggedPrices?.() ?? [])];
  const tag = new PriceTag(candles, palette, otherTags);
  const ghost = new GhostPrimitive(palette);
  candles.attachPrimitive(ghost);
  chart.subscribeCrosshairMove(({ time }) => read(barAt(time)));
  // Fingers do not hover: a tap reads the bar under it, and a tap beside all of them ends the reading.
  chart.subscribeClick(({ time }) => {
    const timeS = barAt(time);
    if (timeS === null) chart.clearCrosshairPosition();
    else chart.setCrosshairPosition(priceAt(timeS), timeS as UTCTimestamp, candles);
    read(timeS);
  });

  const view = new ChartView(chart, candles, { holder, windowOf, onView: options.onView?.bind(options) });

  function read(timeS: number | null): void {
    band.pointAt(timeS);
    options.onPoint(timeS);
  }

  /** Null for a place that has neither a candle nor a forecast. */
  function barAt(time: Time | undefined): number | null {
    const timeS = Number(time ?? Number.NaN);
    const { joinS, candles: drawn } = current;
    const isAhead = joinS !== null && timeS > joinS && timeS <= joinS + options.horizonBars * barS;
    return isAhead || [...drawn, ...sinceJoin(current)].some((candle) => candle.time === timeS) ? timeS : null;
  }

  function priceAt(timeS: number): number {
    const drawn = [...sinceJoin(current), ...current.candles];
    return (drawn.find(({ time }) => time === timeS) ?? realCandles(current).at(-1))?.close ?? 0;
  }

  function reset(series: ChartSeries): void {
    current = series;
    barS = barSecondsIn(series.candles);
    refit();
    showWhenDrawn();
  }

  /** The library draws in the next frame; a callback requested after it runs after it, in the same frame. */
  function showWhenDrawn(): void {
    if (!holder.hidden || current.candles.length === 0) return;
    requestAnimationFrame(() => {
      holder.hidden = false;
    });
  }

  function draw(): void {
    drawCandles();
    const last = realCandles(current).at(-1);
    const padding = timesFrom((current.candles[0]?.time ?? 0) - PAD_BARS * barS, PAD_BARS, barS);
    const coming = timesFrom((last?.time ?? 0) + barS, reservedBars(current, options.horizonBars), barS);
    dayStartsS = dayStarts([...realCandles(current).map(({ time }) => time), ...coming]);
    places.setData(last === undefined ? [] : [...padding, ...coming].map((time) => ({ time })));
    band.show(groundOf(current, options.horizonBars, barS), palette);
    drawUsual();
    drawGhost();
    drawOutcome();
    tag.show(current, palette);
    // Axes cache their labels while the range is unchanged, but the tags that labels must avoid may have moved.
    chart.applyOptions({ localization: { tickmarksPriceFormatter: labelTicks } });
  }

  function drawCandles(): void {
    candles.setData([...current.candles, ...formingAlone()].map((candle) => toData(candle)));
  }

  /** The forming candle, where no forecast is drawn below it. */
  function formingAlone(): readonly Candle[] {
    return current.joinS === null ? sinceJoin(current) : [];
  }

  function drawOutcome(): void {
    outcome.show(current, palette, (candle) => toData(candle, true));
  }

  function drawUsual(): void {
    const seams = seamsOf([...realCandles(current), ...formingAlone()], barS);
    const marks = options.horizonBars === 0 ? [] : releaseMarks(current, barS);
    seam.show([...seams, ...marks], palette);
    const range = options.horizonBars === 0 ? null : usualAhead(current);
    const cone = range && { ...range, joinS: range.t0, barS, isUnderForecast: current.joinS !== null };
    usual.show(cone, palette);
  }

  function showUsual(series: ChartSeries): void {
    current = series;
    drawUsual();
  }

  function drawGhost(): void {
    const baseline = isGhostShown ? ghostOf(current) : null;
    ghost.show(baseline === null ? null : { ...baseline, joinS: current.joinS ?? 0, barS }, palette);
  }

  function showGhost(isShown: boolean): void {
    isGhostShown = isShown;
    drawGhost();
  }

  function attach(guest: ChartGuest | null): void {
    if (attached !== null) candles.detachPrimitive(attached);
    attached = guest;
    if (guest !== null) candles.attachPrimitive(guest);
  }

  function labelTicks(prices: readonly number[]): string[] {
    const toY = (price: number) => candles.priceToCoordinate(price);
    return ticksBesideTags(
      prices.map(format),
      prices.map(toY),
      [...otherTags().map(toY), ...tag.places()].filter((y) => y !== null),
    );
  }

  function append(candle: Candle, series: ChartSeries): void {
    current = series;
    candles.update(toData(candle));
  }

  function close(series: ChartSeries): void {
    const firstS = series.candles[0]?.time ?? 0;
    const dropped = current.candles.filter(({ time }) => time < firstS).length;
    view.redraw(() => {
      current = series;
      draw();
    }, dropped);
  }

  function move(series: ChartSeries): void {
    const hadStarted = sinceJoin(current).at(-1)?.time;
    current = series;
    const [forming] = sinceJoin(series).slice(-1);
    if (forming !== undefined) {
      if (series.joinS === null) candles.update(toData(forming));
      else if (options.isOutcomeCandles && forming.time === hadStarted) outcome.update(toData(forming, true));
      // The bar of the forecast below it has passed.
      else {
        drawCandles();
        drawOutcome();
      }
    }
    tag.show(current, palette);
    if (!tag.hasMoved()) return;
    chart.applyOptions({ localization: { tickmarksPriceFormatter: labelTicks } });
  }

  /** @param isActual  a real candle that was forecast */
  function toData(candle: Candle, isActual = false): CandlestickData<Time> {
    const { time, open, high, low, close } = candle;
    const isForecast = !isActual && current.joinS !== null && time > current.joinS;
    const isPassed = isForecast && time <= passedS(current);
    const isLate = candle === current.forming && current.live?.lateS != null;
    const colours = candleColours(candle, { isForecast, isThin, isPassed, isActual, isLate }, palette);
    return { time: time as UTCTimestamp, open, high, low, close, ...colours };
  }

  /** CSS pixels per bar when all are in view; zooming in does not change the drawing style. */
  function wholeBarPx(): number {
    const whole = windowOf();
    return whole === null ? Number.POSITIVE_INFINITY : chart.timeScale().width() / (whole.to - whole.from);
  }

  function labelTime(time: Time): string {
    const timeS = Number(time);
    const last = realCandles(current).at(-1);
    const reserved = reservedBars(current, options.horizonBars) * barS;
    const lastS = Math.max(current.candles.at(-1)?.time ?? 0, (last?.time ?? 0) + reserved);
    const barPx = wholeBarPx();
    const isCut =
      isCutAtRight((lastS - timeS) / barS, barPx) || isCutAtLeft(barsFromLeft(current, timeS, shownBars()), barPx);
    return isCut ? '' : tickLabel(timeS, dayStartsS.has(timeS));
  }

  function windowOf(): ReturnType<typeof wholeWindow> {
    return wholeWindow(current, options.horizonBars, shownBars());
  }

  function refit(): void {
    isThin = isTooThinForBodies(wholeBarPx());
    draw();
    view.showWhole();
  }

  function point(candle: Candle | null): void {
    band.pointAt(candle?.time ?? null);
    if (candle === null) chart.clearCrosshairPosition();
    else chart.setCrosshairPosition(candle.close, candle.time as UTCTimestamp, candles);
  }

  function placeOf({ time, close }: Candle): ChartPlace | null {
    const x = chart.timeScale().timeToCoordinate(time as UTCTimestamp);
    const y = candles.priceToCoordinate(close);
    return x === null || y === null ? null : { x, y };
  }

  function repaint(): void {
    palette = readPalette(host);
    chart.applyOptions(chartColours(palette));
    view.redraw(draw);
  }

  function resize(width: number, height: number): void {
    // Observers first report the current size, which would redraw everything.
    if (width === size.width && height === size.height) return;
    size = { width, height };
    // Resize immediately: the candle width depends on it.
    chart.resize(width, height, true);
    refit();
    showWhenDrawn();
  }

  function destroy(): void {
    view.destroy();
    chart.remove();
    holder.remove();
  }

  return { reset, append, close, move, showUsual, point, placeOf, showGhost, attach, repaint, refit, resize, destroy };
}

function groundOf(series: ChartSeries, horizonBars: number, barS: number): ForecastGround | null {
  const last = realCandles(series).at(-1);
  if (series.joinS === null || last === undefined) return null;
  const bars = Math.max(horizonBars, series.candles.length - realCandles(series).length);
  return { joinS: series.joinS, barS, lastClose: last.close, band: series.band, bars };
}

function timesFrom(firstS: number, bars: number, barS: number): UTCTimestamp[] {
  return Array.from({ length: bars }, (_, i) => (firstS + i * barS) as UTCTimestamp);
}
