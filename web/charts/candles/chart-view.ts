/** What part of the candles is in view: the whole window, until the user drags or zooms. */
import type { IChartApi, ISeriesApi } from 'lightweight-charts';
import { PAD_BARS, type wholeWindow } from './chart-window.ts';

export interface ChartViewOptions {
  holder: HTMLElement;
  /** The whole window now; null without candles. */
  windowOf(): ReturnType<typeof wholeWindow>;
  /** The user moved the view away from the whole window, or it is whole again. */
  onView: ((isWhole: boolean) => void) | undefined;
}

export class ChartView {
  private readonly chart: IChartApi;
  private readonly candles: ISeriesApi<'Candlestick'>;
  private readonly options: ChartViewOptions;
  private wasWhole = true;
  private reporting = 0;

  constructor(chart: IChartApi, candles: ISeriesApi<'Candlestick'>, options: ChartViewOptions) {
    this.chart = chart;
    this.candles = candles;
    this.options = options;
    chart.timeScale().subscribeVisibleLogicalRangeChange(() => this.report());
    // Dragging the price axis reports nothing else.
    options.holder.addEventListener('pointerup', () => this.report());
  }

  showWhole(): void {
    const whole = this.options.windowOf();
    if (whole === null) return;
    this.chart.timeScale().setVisibleLogicalRange(whole);
    this.candles.priceScale().applyOptions({ autoScale: true });
  }

  /**
   * Draws again: a whole view stays whole, another stays at its candles.
   * @param droppedBars  first bars that the new drawing no longer has
   */
  redraw(draw: () => void, droppedBars = 0): void {
    const range = this.chart.timeScale().getVisibleLogicalRange();
    const isWhole = this.isWhole();
    draw();
    if (isWhole || range === null) this.showWhole();
    else this.chart.timeScale().setVisibleLogicalRange({ from: range.from - droppedBars, to: range.to - droppedBars });
  }

  destroy(): void {
    cancelAnimationFrame(this.reporting);
  }

  private isWhole(): boolean {
    const [range, whole] = [this.chart.timeScale().getVisibleLogicalRange(), this.options.windowOf()];
    if (range === null || whole === null) return true;
    if (!this.candles.priceScale().options().autoScale) return false;
    // The library moves a view by a bar when the forming candle gets its place; all candles are still in it.
    return Math.abs(range.from - whole.from) <= PAD_BARS && Math.abs(range.to - whole.to) <= PAD_BARS;
  }

  /** In the next frame: a bar that closes first changes the window, then the view. */
  private report(): void {
    cancelAnimationFrame(this.reporting);
    this.reporting = requestAnimationFrame(() => {
      const isWhole = this.isWhole();
      if (isWhole !== this.wasWhole) this.options.onView?.(isWhole);
      this.wasWhole = isWhole;
    });
  }
}
