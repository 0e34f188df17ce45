/** Draws the candles with the chart library, after the page's first paint. Makes no request, adds no style element. */
import {
  type CandlestickData,
  CandlestickSeries,
  ColorType,
  CrosshairMode,
  createChart,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { formatPrice } from '#domain/format/price.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import { BandPrimitive, type ForecastGround } from '../overlays/band-primitive.ts';
import { GhostPrimitive, ghostOf } from '../overlays/ghost-primitive.ts';
import { outcomeLine } from '../overlays/outcome-line.ts';
import type { ChartGuest } from '../overlays/price-scale.ts';
import { UsualPrimitive } from '../overlays/usual-primitive.ts';
import { type Palette, readPalette } from '../palette.ts';
import { candleColours } from './candle-colours.ts';
import { barSecondsIn, type ChartSeries, realCandles, usualAhead } from './candle-feed.ts';
import {
  isCutAtRight,
  isTooThinForBodies,
  PAD_BARS,
  reservedBars,
  ticksBesideTags,
  wholeWindow,
} from './chart-window.ts';
import { dayStarts, dayTimeLabel, tickLabel } from './describe-series.ts';
import { PriceTag } from './price-tag.ts';

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
  /** Created for the first chart with an outcome. */
  let outcome: ISeriesApi<'Line'> | null = null;
  let actual: ISeriesApi<'Candlestick'> | null = null;
  /** The part of the forecast's path that has passed. */
  let passed: ISeriesApi<'Line'> | null = null;
  const format = (price: number) => formatPrice(price, options.decimals);

  let size: ChartSize = options.size ?? { width: 1, height: 1 };
  // Hidden until drawn: browsers count a change of size as a layout shift, even of an invisible element.
  const holder = host.appendChild(document.createElement('div'));
  holder.hidden = true;
  const chart = create(holder, {
    ...size,
    ...chartColours(palette),
    timeScale: {
      borderColor: palette.line,
      timeVisible: true,
      secondsVisible: false,
      fixLeftEdge: true,
      // 150 candles and a forecast of 50 fit on the narrowest phone.
      minBarSpacing: 0.5,
      tickMarkFormatter: labelTime,
    },
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false, axisPressedMouseMove: true, pinch: true },
    kineticScroll: { mouse: false, touch: !options.isMotionReduced },
    localization: {
      priceFormatter: format,
      tickmarksPriceFormatter: labelTicks,
      timeFormatter: (time: Time) => dayTimeLabel(Number(time)),
    },
  });
  const candleOptions = {
    priceLineVisible: false,
    lastValueVisible: false,
    priceFormat: { type: 'price', precision: options.decimals, minMove: Number(`1e-${options.decimals}`) },
  } as const;
  const candles = chart.addSeries(CandlestickSeries, candleOptions);
  // Reserves the places of forecast candles, so that nothing moves when they arrive, and the empty bars at the left.
  const places = chart.addSeries(LineSeries, { priceLineVisible: false, lastValueVisible: false, visible: false });
  const usual = new UsualPrimitive(palette);
  candles.attachPrimitive(usual);
  const band = new BandPrimitive(palette, format);
  candles.attachPrimitive(band);
  const tag = new PriceTag(candles, palette, () => band.taggedPrices());
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
    const forming = current.joinS === null ? sinceJoin(current) : [];
    candles.setData([...current.candles, ...forming].map((candle) => toData(candle)));
  }

  function drawOutcome(): void {
    drawPassed();
    if (options.isOutcomeCandles) {
      drawActual(current.joinS === null ? [] : sinceJoin(current));
      return;
    }
    const line = outcomeLine(current);
    if (line.length === 0 && outcome === null) return;
    outcome ??= chart.addSeries(LineSeries, OUTCOME_LINE);
    outcome.applyOptions({ color: palette.text });
    outcome.setData(line.map(({ time, close }) => ({ time: time as UTCTimestamp, value: close })));
  }

  function drawActual(known: readonly Candle[]): void {
    if (known.length === 0 && actual === null) return;
    actual ??= chart.addSeries(CandlestickSeries, candleOptions);
    actual.setData(known.map((candle) => toData(candle, true)));
  }

  function drawPassed(): void {
    const { joinS } = current;
    const path = joinS === null ? [] : current.candles.filter(({ time }) => time >= joinS && time <= passedS());
    if (path.length < 2 && passed === null) return;
    passed ??= chart.addSeries(LineSeries, PASSED_LINE);
    passed.applyOptions({ color: palette.accentLine });
    passed.setData(
      path.length < 2 ? [] : path.map(({ time, close }) => ({ time: time as UTCTimestamp, value: close })),
    );
  }

  /** Opening second of the last bar of the forecast that has begun; 0 without one. */
  function passedS(): number {
    return current.joinS === null ? 0 : (sinceJoin(current).at(-1)?.time ?? 0);
  }

  function drawUsual(): void {
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
      [...band.taggedPrices().map(toY), ...tag.places()].filter((y) => y !== null),
    );
  }

  function append(candle: Candle, series: ChartSeries): void {
    current = series;
    candles.update(toData(candle));
  }

  function close(series: ChartSeries): void {
    const range = chart.timeScale().getVisibleLogicalRange();
    const isWhole = isWholeInView(range);
    const firstS = series.candles[0]?.time ?? 0;
    const dropped = current.candles.filter(({ time }) => time < firstS).length;
    current = series;
    draw();
    if (isWhole || range === null) showWhole();
    else chart.timeScale().setVisibleLogicalRange({ from: range.from - dropped, to: range.to - dropped });
  }

  function isWholeInView(range: { from: number; to: number } | null): boolean {
    const whole = windowOf();
    if (range === null || whole === null) return true;
    return Math.abs(range.from - whole.from) < 1 && Math.abs(range.to - whole.to) < 1;
  }

  function move(series: ChartSeries): void {
    const hadStarted = sinceJoin(current).at(-1)?.time;
    current = series;
    const [forming] = sinceJoin(series).slice(-1);
    if (forming !== undefined) {
      if (series.joinS === null) candles.update(toData(forming));
      else if (options.isOutcomeCandles && forming.time === hadStarted) actual?.update(toData(forming, true));
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
    const isPassed = isForecast && time <= passedS();
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
    return isCutAtRight((lastS - timeS) / barS, wholeBarPx()) ? '' : tickLabel(timeS, dayStartsS.has(timeS));
  }

  function windowOf(): ReturnType<typeof wholeWindow> {
    return wholeWindow(current, options.horizonBars, options.shownBars?.() ?? null);
  }

  function refit(): void {
    isThin = isTooThinForBodies(wholeBarPx());
    draw();
    showWhole();
  }

  function showWhole(): void {
    const whole = windowOf();
    if (whole !== null) chart.timeScale().setVisibleLogicalRange(whole);
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
    const range = chart.timeScale().getVisibleLogicalRange();
    draw();
    if (range !== null) chart.timeScale().setVisibleLogicalRange(range);
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
    chart.remove();
    holder.remove();
  }

  return { reset, append, close, move, showUsual, point, placeOf, showGhost, attach, repaint, refit, resize, destroy };
}

const OUTCOME_LINE = {
  lineWidth: 2,
  priceLineVisible: false,
  lastValueVisible: false,
  crosshairMarkerVisible: false,
} as const;

const PASSED_LINE = { ...OUTCOME_LINE, lineStyle: LineStyle.Dashed, lineWidth: 1 } as const;

/** The real candles after the join, or after all of them without a forecast; the last one may still form. */
function sinceJoin({ joinS, outcome = [], forming }: ChartSeries): readonly Candle[] {
  const closed = joinS === null ? [] : outcome;
  return forming ? [...closed, forming] : closed;
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

function chartColours(palette: Palette): Parameters<IChartApi['applyOptions']>[0] {
  const crosshair = {
    color: palette.muted,
    labelBackgroundColor: palette.muted,
    style: LineStyle.Dotted,
    width: 1,
  } as const;
  return {
    layout: {
      background: { type: ColorType.Solid, color: 'rgba(0, 0, 0, 0)' },
      textColor: palette.muted,
      fontFamily: '"JetBrains Mono Variable", ui-monospace, monospace',
      fontSize: 12,
      // The logo needs a style element, which the content policy refuses; the page names the library instead.
      attributionLogo: false,
    },
    grid: { vertLines: { visible: false }, horzLines: { color: palette.line } },
    crosshair: { mode: CrosshairMode.Normal, vertLine: crosshair, horzLine: crosshair },
    rightPriceScale: { borderVisible: false, entireTextOnly: true, scaleMargins: { top: 0.08, bottom: 0.06 } },
    timeScale: { borderColor: palette.line },
  };
}
