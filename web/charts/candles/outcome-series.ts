/** The outcome of a forecast, drawn over it, and the part of its path that has passed. Each is created when needed. */
import {
  type CandlestickData,
  CandlestickSeries,
  type CandlestickSeriesPartialOptions,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { Candle } from '#domain/market/candle.ts';
import { outcomeLine } from '../overlays/outcome-line.ts';
import type { Palette } from '../palette.ts';
import { type ChartSeries, passedS, sinceJoin } from './candle-feed.ts';

export interface OutcomeSeriesOptions {
  /** Draws the outcome as candles; otherwise as a line through its closes. */
  isCandles: boolean;
  candleOptions: CandlestickSeriesPartialOptions;
}

export class OutcomeSeries {
  private readonly chart: IChartApi;
  private readonly options: OutcomeSeriesOptions;
  private line: ISeriesApi<'Line'> | null = null;
  private candles: ISeriesApi<'Candlestick'> | null = null;
  private passed: ISeriesApi<'Line'> | null = null;

  constructor(chart: IChartApi, options: OutcomeSeriesOptions) {
    this.chart = chart;
    this.options = options;
  }

  /** @param toData  a real candle's figures and colours */
  show(series: ChartSeries, palette: Palette, toData: (candle: Candle) => CandlestickData<Time>): void {
    this.drawPassed(series, palette);
    if (this.options.isCandles) this.drawCandles(series.joinS === null ? [] : sinceJoin(series).map(toData));
    else this.drawLine(series, palette);
  }

  update(candle: CandlestickData<Time>): void {
    this.candles?.update(candle);
  }

  private drawCandles(known: CandlestickData<Time>[]): void {
    if (known.length === 0 && this.candles === null) return;
    this.candles ??= this.chart.addSeries(CandlestickSeries, this.options.candleOptions);
    this.candles.setData(known);
  }

  private drawLine(series: ChartSeries, palette: Palette): void {
    const closes = outcomeLine(series);
    if (closes.length === 0 && this.line === null) return;
    this.line ??= this.chart.addSeries(LineSeries, LINE);
    this.line.applyOptions({ color: palette.text });
    this.line.setData(closes.map(({ time, close }) => ({ time: time as UTCTimestamp, value: close })));
  }

  private drawPassed(series: ChartSeries, palette: Palette): void {
    const { joinS } = series;
    const path = joinS === null ? [] : series.candles.filter(({ time }) => time >= joinS && time <= passedS(series));
    if (path.length < 2 && this.passed === null) return;
    this.passed ??= this.chart.addSeries(LineSeries, PASSED);
    this.passed.applyOptions({ color: palette.accentLine });
    this.passed.setData(
      path.length < 2 ? [] : path.map(({ time, close }) => ({ time: time as UTCTimestamp, value: close })),
    );
  }
}

const LINE = {
  lineWidth: 2,
  priceLineVisible: false,
  lastValueVisible: false,
  crosshairMarkerVisible: false,
} as const;

const PASSED = { ...LINE, lineStyle: LineStyle.Dashed, lineWidth: 1 } as const;
