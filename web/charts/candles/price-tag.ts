/** The newest price on the axis, with the time until its candle closes below it, or the price's age. */
import { type IPriceLine, type ISeriesApi, LineStyle } from 'lightweight-charts';
import { CountdownLabel } from '../overlays/countdown-label.ts';
import type { Palette } from '../palette.ts';
import { type ChartSeries, newestCandle } from './candle-feed.ts';

/** It moves this far before the axis labels make room again, which draws the axis again. CSS pixels. */
const STEP_PX = 4;

export class PriceTag {
  private line: IPriceLine | null = null;
  private shownAt: readonly number[] = [];
  private readonly candles: ISeriesApi<'Candlestick'>;
  private readonly countdown: CountdownLabel;
  private readonly otherPrices: () => readonly number[];

  /** @param otherPrices  of the axis's other tags */
  constructor(candles: ISeriesApi<'Candlestick'>, palette: Palette, otherPrices: () => readonly number[]) {
    this.candles = candles;
    this.otherPrices = otherPrices;
    this.countdown = new CountdownLabel(palette, otherPrices);
    candles.attachPrimitive(this.countdown);
  }

  show(series: ChartSeries, palette: Palette): void {
    const price = newestCandle(series)?.close ?? null;
    const { live } = series;
    this.countdown.show(price, countdownText(live), palette);
    if (price === null) {
      if (this.line !== null) this.candles.removePriceLine(this.line);
      this.line = null;
      return;
    }
    this.line ??= this.candles.createPriceLine({
      price,
      lineWidth: 1,
      lineStyle: LineStyle.Dashed,
      axisLabelVisible: true,
    });
    this.line.applyOptions({
      price,
      color: palette.muted,
      axisLabelTextColor: palette.surface,
      axisLabelColor: live && live.lateS === null ? palette.text : palette.muted,
    });
  }

  /** Middles of the tag and of the text beside it, CSS pixels from the pane's top. */
  places(): number[] {
    const y = this.line === null ? null : this.candles.priceToCoordinate(this.line.options().price);
    return [y, this.countdown.y()].filter((place) => place !== null);
  }

  /** True if the axis labels should make room at other places than before: for it, or for another tag. */
  hasMoved(): boolean {
    const others = this.otherPrices().map((price) => this.candles.priceToCoordinate(price));
    const places = [...this.places(), ...others.filter((place) => place !== null)];
    const before = this.shownAt;
    const isSame = places.length === before.length && places.every((y, i) => Math.abs(y - (before[i] ?? y)) < STEP_PX);
    if (!isSame) this.shownAt = places;
    return !isSame;
  }
}

/** '0:23' until the candle closes, or '12 s old'. */
function countdownText(live: ChartSeries['live']): string {
  if (!live) return '';
  if (live.lateS !== null) return live.lateS < 120 ? `${live.lateS} s old` : `${Math.floor(live.lateS / 60)} min old`;
  const { closesInS } = live;
  return closesInS === null ? '' : `${Math.floor(closesInS / 60)}:${String(closesInS % 60).padStart(2, '0')}`;
}
