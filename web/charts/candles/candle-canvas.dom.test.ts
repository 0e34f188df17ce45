import { beforeEach, expect, test, vi } from 'vitest';
import type { Candle } from '#domain/market/candle.ts';
import { fakeChart } from '../testing/fake-chart.ts';
import { createCandleCanvas } from './candle-canvas.ts';
import type { ChartSeries } from './candle-feed.ts';

const timeScale = {
  width: () => 260,
  setVisibleLogicalRange: vi.fn<(range: { from: number; to: number }) => void>(),
  getVisibleLogicalRange: () => timeScale.setVisibleLogicalRange.mock.lastCall?.[0] ?? null,
};
const resize = vi.fn();
const series = { setData: vi.fn(), update: vi.fn() };

const history = (joinS: number | null): ChartSeries => ({
  candles: Array.from({ length: 150 }, (_, i) => ({ time: 60 * (i + 10), open: 1, high: 3, low: 1, close: 2 })),
  joinS,
  band: null,
});
const JOIN_S = 60 * 159;
const canvas = (host = document.createElement('div')) =>
  createCandleCanvas(
    host,
    {
      decimals: 1,
      horizonBars: 50,
      isMotionReduced: true,
      onPoint: () => undefined,
    },
    fakeChart({ addSeries: () => series, resize, timeScale: () => timeScale }),
  );

const JOIN = history(null).candles.at(-1) as Candle;
const after = (bars: number, close = 2): Candle => ({ ...JOIN, time: JOIN.time + 60 * bars, close });

beforeEach(() => {
  timeScale.setVisibleLogicalRange.mockClear();
  series.setData.mockClear();
});

test('shows all 150 candles on a phone, with room for 50 more before and with a forecast', () => {
  const drawing = canvas();

  drawing.reset(history(null));
  drawing.reset(history(JOIN_S));

  expect(timeScale.setVisibleLogicalRange.mock.calls).toEqual([
    [{ from: -0.5, to: 203.5 }],
    [{ from: -0.5, to: 203.5 }],
  ]);
});

test('leaves two empty places before the first candle, and those of the forecast after the last', () => {
  const drawing = canvas();

  drawing.reset(history(JOIN_S));

  const places = series.setData.mock.lastCall?.[0] as { time: number }[];
  expect(places).toHaveLength(52);
  expect(places.slice(0, 3)).toEqual([{ time: 60 * 8 }, { time: 60 * 9 }, { time: 60 * 160 }]);
});

test('leaves the empty places at the distance of longer candles', () => {
  const drawing = canvas();
  const candles = history(null).candles.map((candle) => ({ ...candle, time: candle.time * 15 }));

  drawing.reset({ candles, joinS: JOIN_S * 15, band: null });

  const places = series.setData.mock.lastCall?.[0] as { time: number }[];
  expect(places).toHaveLength(52);
  expect(places.slice(0, 3)).toEqual([{ time: 900 * 8 }, { time: 900 * 9 }, { time: 900 * 160 }]);
  expect(places.at(-1)).toEqual({ time: 900 * 209 });
});

test('draws nothing again when its size is reported unchanged', () => {
  const drawing = canvas();
  drawing.resize(300, 200);
  drawing.reset(history(null));
  series.setData.mockClear();

  drawing.resize(300, 200);
  expect(series.setData).not.toHaveBeenCalled();

  drawing.resize(400, 200);
  expect(series.setData).toHaveBeenCalled();
  expect(resize.mock.calls).toEqual([
    [300, 200, true],
    [400, 200, true],
  ]);
});

test('has no box before the frame that draws its first candles, so that nothing jumps', async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const host = document.createElement('div');
  document.body.append(host);
  const hasBox = () => getComputedStyle(host.children[0] ?? host).display !== 'none';
  const drawing = canvas(host);
  drawing.resize(300, 200);
  drawing.reset({ candles: [], joinS: null, band: null });
  await frame();
  expect(hasBox()).toBe(false);

  drawing.reset(history(null));
  expect(hasBox()).toBe(false);
  await frame();
  expect(hasBox()).toBe(true);
});

test('reads the minute that is tapped, of the forecast ahead too, and ends the reading beside them', () => {
  const taps: ((event: { time?: number }) => void)[] = [];
  const onPoint = vi.fn();
  const setCrosshairPosition = vi.fn();
  const clearCrosshairPosition = vi.fn();
  const drawing = createCandleCanvas(
    document.createElement('div'),
    { decimals: 1, horizonBars: 50, isMotionReduced: true, onPoint },
    fakeChart({
      addSeries: () => series,
      timeScale: () => timeScale,
      subscribeClick: (listener) => taps.push(listener),
      setCrosshairPosition,
      clearCrosshairPosition,
    }),
  );
  drawing.reset(history(JOIN_S));
  const tap = (timeS?: number) => {
    for (const listener of taps) listener(timeS === undefined ? {} : { time: timeS });
    return onPoint.mock.lastCall?.[0];
  };

  expect(tap(60 * 20)).toBe(60 * 20);
  expect(tap(JOIN_S + 50 * 60)).toBe(JOIN_S + 50 * 60);
  expect(setCrosshairPosition.mock.calls.map(([price, timeS]) => [price, timeS])).toEqual([
    [2, 60 * 20],
    [2, JOIN_S + 50 * 60],
  ]);
  for (const timeS of [60 * 9, JOIN_S + 51 * 60, undefined]) expect(tap(timeS)).toBeNull();
  expect(clearCrosshairPosition).toHaveBeenCalledTimes(3);
});

test('draws the outcome as candles, and a line in place of the forecast’s that have passed', () => {
  const drawn: { setData: ReturnType<typeof vi.fn>; update: () => void }[] = [];
  const addSeries = () => {
    const added = { setData: vi.fn(), update: () => undefined };
    drawn.push(added);
    return added;
  };
  const drawing = createCandleCanvas(
    document.createElement('div'),
    { decimals: 1, horizonBars: 50, isMotionReduced: true, isOutcomeCandles: true, onPoint: () => undefined },
    fakeChart({ addSeries, timeScale: () => timeScale }),
  );
  const candle = (minute: number) => ({ time: JOIN_S + 60 * minute, open: 2, high: 3, low: 1, close: 2 });
  const forecast = { ...history(JOIN_S), candles: [...history(JOIN_S).candles, candle(1), candle(2)] };
  drawing.reset(forecast);
  timeScale.setVisibleLogicalRange.mockClear();

  drawing.close({ ...forecast, outcome: [candle(1)] });

  const [candles, , path, actual] = drawn;
  expect(actual?.setData.mock.lastCall?.[0]).toHaveLength(1);
  const shown: { wickColor: string }[] = candles?.setData.mock.lastCall?.[0] ?? [];
  const [before, passed, coming] = shown.slice(-3);
  expect(passed?.wickColor).toBe('rgba(0, 0, 0, 0)');
  expect(coming?.wickColor).not.toBe(passed?.wickColor);
  expect(before?.wickColor).not.toBe(passed?.wickColor);
  expect(path?.setData.mock.lastCall?.[0]).toEqual([
    { time: JOIN_S, value: 2 },
    { time: JOIN_S + 60, value: 2 },
  ]);
  expect(timeScale.setVisibleLogicalRange.mock.lastCall).toEqual([{ from: -0.5, to: 203.5 }]);
});

test('rolls when a bar closes: a whole view follows, and another stays at its candles', () => {
  const drawing = canvas();
  const { candles } = history(null);
  drawing.reset(history(null));
  const rolled = { ...history(null), candles: [...candles.slice(1), after(1)] };

  drawing.close(rolled);
  expect(timeScale.setVisibleLogicalRange.mock.lastCall).toEqual([{ from: -0.5, to: 203.5 }]);

  timeScale.setVisibleLogicalRange({ from: 50, to: 90 });
  drawing.close({ ...rolled, candles: [...rolled.candles.slice(1), after(2)] });
  expect(timeScale.setVisibleLogicalRange.mock.lastCall).toEqual([{ from: 49, to: 89 }]);
});

test('moves the candle that forms and its price, and dims it while the price is old', () => {
  const applyOptions = vi.fn();
  const update = vi.fn<(bar: { time: number; close: number; wickColor: string }) => void>();
  const drawing = createCandleCanvas(
    document.createElement('div'),
    { decimals: 1, horizonBars: 50, isMotionReduced: true, onPoint: () => undefined },
    fakeChart({
      addSeries: () => ({
        setData: () => undefined,
        update,
        priceToCoordinate: () => 1,
        createPriceLine: () => ({ applyOptions, options: () => ({ price: 1 }) }),
      }),
      timeScale: () => timeScale,
    }),
  );
  drawing.reset(history(null));
  const moved = (forming: Candle, closesInS: number | null, lateS: number | null) => {
    drawing.move({ ...history(null), forming, live: { closesInS, lateS } });
    return [update.mock.lastCall?.[0], applyOptions.mock.lastCall?.[0]];
  };

  const [current] = moved(after(1, 2.5), 23, null);
  expect(current).toMatchObject({ time: JOIN.time + 60, close: 2.5 });
  expect(applyOptions.mock.lastCall?.[0]).toMatchObject({ price: 2.5 });

  const [late] = moved(after(1, 2.5), 3, 20);
  expect(applyOptions.mock.lastCall?.[0]).toMatchObject({ price: 2.5 });
  expect(late).toMatchObject({ wickColor: expect.stringMatching(/, 0\.(18|4)\d*\)$/) });
});

test('grows with the real candles past the end of a forecast', () => {
  const drawing = canvas();
  const outcome = Array.from({ length: 60 }, (_, i) => after(i + 1));
  drawing.reset(history(JOIN_S));
  drawing.close({ ...history(JOIN_S), outcome });
  expect(timeScale.setVisibleLogicalRange.mock.lastCall).toEqual([{ from: -0.5, to: 214.5 }]);
});
