/**
 * The drawing itself, in the chart library. Loaded after the page's first paint; everything it needs comes in by
 * arguments, and what it reports goes out by callbacks. It makes no request and writes no style element.
 */
import {
  type CandlestickData,
  CandlestickSeries,
  ColorType,
  CrosshairMode,
  createChart,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type MouseEventParams,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { formatPrice } from '#domain/format/price.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import { BandPrimitive } from './band-primitive.ts';
import { candleColours } from './candle-colours.ts';
import { type ChartSeries, realCandles } from './candle-feed.ts';
import { timeLabel } from './chart-words.ts';
import { type Palette, readPalette } from './palette.ts';

export interface CandleCanvasOptions {
  decimals: number;
  /** Bars kept free at the right for what is still to come. */
  horizonBars: number;
  isMotionReduced: boolean;
  /** The candle under the pointer, null when it left. */
  onPoint(candle: Candle | null): void;
}

export interface CandleCanvas {
  reset(series: ChartSeries): void;
  append(candle: Candle, series: ChartSeries): void;
  /** Puts the crosshair on a candle; null takes it away. */
  point(candle: Candle | null): void;
  /** Reads the theme's colours again. */
  repaint(): void;
  resize(width: number, height: number): void;
  destroy(): void;
}

/** A candle should be at least this wide, gap included; narrower panes show fewer and scroll. */
const MIN_BAR_PX = 3;
const RIGHT_PAD_BARS = 2;

export function createCandleCanvas(host: HTMLElement, options: CandleCanvasOptions): CandleCanvas {
  let palette = readPalette(host);
  let current: ChartSeries = { candles: [], joinS: null, band: null };
  let lastCloseLine: IPriceLine | null = null;
  const format = (price: number) => formatPrice(price, options.decimals);

  const chart = createChart(host, {
    width: host.clientWidth,
    height: host.clientHeight,
    ...chartColours(palette),
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false, axisPressedMouseMove: true, pinch: true },
    kineticScroll: { mouse: false, touch: !options.isMotionReduced },
    localization: { priceFormatter: format, timeFormatter: (time: Time) => timeLabel(Number(time), true) },
  });
  const candles = chart.addSeries(CandlestickSeries, {
    priceLineVisible: false,
    lastValueVisible: false,
    priceFormat: { type: 'price', precision: options.decimals, minMove: 10 ** -options.decimals },
  });
  // Holds the places of candles still to come, so that nothing moves when they arrive.
  const places = chart.addSeries(LineSeries, { priceLineVisible: false, lastValueVisible: false, visible: false });
  const band = new BandPrimitive(palette, format);
  candles.attachPrimitive(band);
  chart.subscribeCrosshairMove((event) => options.onPoint(candleAt(event, candles, current)));

  function reset(series: ChartSeries): void {
    current = series;
    draw();
    showLatest();
  }

  function draw(): void {
    const { joinS } = current;
    candles.setData(current.candles.map((candle) => toData(candle, joinS, palette)));
    const last = realCandles(current).at(-1);
    places.setData(last === undefined ? [] : futureTimes(last.time, options.horizonBars).map((time) => ({ time })));
    band.show(groundOf(current), palette);
    drawLastClose(last?.close ?? null);
  }

  function drawLastClose(close: number | null): void {
    if (lastCloseLine !== null) candles.removePriceLine(lastCloseLine);
    lastCloseLine =
      close === null
        ? null
        : candles.createPriceLine({
            price: close,
            color: palette.muted,
            lineWidth: 1,
            lineStyle: LineStyle.Dashed,
            axisLabelVisible: true,
            axisLabelColor: palette.muted,
            axisLabelTextColor: palette.surface,
            title: '',
          });
  }

  function append(candle: Candle, series: ChartSeries): void {
    current = series;
    candles.update(toData(candle, series.joinS, palette));
  }

  function showLatest(): void {
    const total = realCandles(current).length + options.horizonBars;
    const fitting = Math.floor(chart.timeScale().width() / MIN_BAR_PX) - RIGHT_PAD_BARS;
    const shown = Math.min(total, Math.max(fitting, Math.min(total, 60)));
    chart.timeScale().setVisibleLogicalRange({ from: total - shown - 0.5, to: total - 0.5 + RIGHT_PAD_BARS });
  }

  function point(candle: Candle | null): void {
    if (candle === null) chart.clearCrosshairPosition();
    else chart.setCrosshairPosition(candle.close, candle.time as UTCTimestamp, candles);
  }

  function repaint(): void {
    palette = readPalette(host);
    chart.applyOptions(chartColours(palette));
    const range = chart.timeScale().getVisibleLogicalRange();
    draw();
    if (range !== null) chart.timeScale().setVisibleLogicalRange(range);
  }

  function resize(width: number, height: number): void {
    chart.resize(width, height);
    showLatest();
  }

  return { reset, append, point, repaint, resize, destroy: () => chart.remove() };
}

function groundOf(series: ChartSeries) {
  const last = realCandles(series).at(-1);
  if (series.joinS === null || last === undefined) return null;
  return { joinS: series.joinS, lastClose: last.close, band: series.band };
}

function toData(candle: Candle, joinS: number | null, palette: Palette): CandlestickData<Time> {
  const { open, high, low, close } = candle;
  const isForecast = joinS !== null && candle.time > joinS;
  return { time: candle.time as UTCTimestamp, open, high, low, close, ...candleColours(candle, isForecast, palette) };
}

function futureTimes(lastS: number, bars: number): UTCTimestamp[] {
  return Array.from({ length: bars }, (_, i) => (lastS + (i + 1) * MINUTE_S) as UTCTimestamp);
}

function candleAt(
  event: MouseEventParams<Time>,
  series: ISeriesApi<'Candlestick'>,
  { candles }: ChartSeries,
): Candle | null {
  if (event.time === undefined || !event.seriesData.has(series)) return null;
  const timeS = Number(event.time);
  return candles.find((candle) => candle.time === timeS) ?? null;
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
      // The logo comes with a style element, which the content policy refuses; the page names the library instead.
      attributionLogo: false,
    },
    grid: { vertLines: { visible: false }, horzLines: { color: palette.line } },
    crosshair: { mode: CrosshairMode.Normal, vertLine: crosshair, horzLine: crosshair },
    rightPriceScale: { borderVisible: false, entireTextOnly: true, scaleMargins: { top: 0.12, bottom: 0.06 } },
    timeScale: {
      borderColor: palette.line,
      timeVisible: true,
      secondsVisible: false,
      fixLeftEdge: true,
      minBarSpacing: 1,
      tickMarkFormatter: (time: Time) => timeLabel(Number(time)),
    },
  };
}
