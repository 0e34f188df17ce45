import type { createChart } from 'lightweight-charts';

interface FakeChart {
  /** @param options  of the series; one that is `lineWidth` 2 draws the outcome */
  addSeries(kind: unknown, options: { lineWidth?: number }): object;
  resize?(...size: unknown[]): void;
  timeScale?(): object;
  subscribeClick?(listener: (event: { time?: number }) => void): void;
  setCrosshairPosition?(...place: unknown[]): void;
  clearCrosshairPosition?(): void;
}

/** @returns to be passed to `createCandleCanvas` in place of the library's function */
export function fakeChart(change: FakeChart): typeof createChart {
  const chart = {
    applyOptions() {},
    resize() {},
    subscribeCrosshairMove() {},
    subscribeClick() {},
    ...change,
    timeScale: () => ({
      width: () => 260,
      setVisibleLogicalRange() {},
      getVisibleLogicalRange: () => null,
      subscribeVisibleLogicalRangeChange() {},
      ...change.timeScale?.(),
    }),
    addSeries: (kind: unknown, options: { lineWidth?: number }) => ({
      applyOptions() {},
      attachPrimitive() {},
      removePriceLine() {},
      createPriceLine: () => ({ applyOptions() {}, options: () => ({}) }),
      priceToCoordinate: () => null,
      priceScale: () => ({ options: () => ({ autoScale: true }), applyOptions() {} }),
      ...change.addSeries(kind, options),
    }),
  };
  return (() => chart) as unknown as typeof createChart;
}
