import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Candle } from '#domain/market/candle.ts';
import { CandleChart, type PointedCandle } from './candle-chart.tsx';
import { createCandleFeed } from './candle-feed.ts';
import { canvasCode } from './canvas-code.ts';

const canvas = {
  reset: vi.fn(),
  append: vi.fn(),
  close: vi.fn(),
  move: vi.fn(),
  showUsual: vi.fn(),
  point: vi.fn(),
  placeOf: vi.fn(() => ({ x: 30, y: 40 })),
  showGhost: vi.fn(),
  attach: vi.fn(),
  repaint: vi.fn(),
  refit: vi.fn(),
  resize: vi.fn(),
  destroy: vi.fn(),
};

const candle = (minute: number, close = 11): Candle => ({ time: minute * 60, open: 10, high: 12, low: 9, close });
const edge = (price: number) => Array.from({ length: 50 }, () => price);
const BAND = { lower80: edge(10), upper80: edge(13), lower95: edge(9), upper95: edge(14) };

beforeEach(() => {
  for (const mock of Object.values(canvas)) mock.mockClear();
  canvasCode().load = async () => ({ createCandleCanvas: () => canvas });
});

async function show(onPoint?: (pointed: PointedCandle | null) => void) {
  const feed = createCandleFeed({ candles: [candle(1), candle(2)], joinS: 120, band: BAND });
  const { unmount } = render(
    <CandleChart feed={feed} name="BTC" decimals={2} horizonBars={50} {...(onPoint && { onPoint })} />,
  );
  await vi.waitFor(() => expect(canvas.reset).toHaveBeenCalledOnce());
  return { feed, unmount };
}

const chart = () => screen.getByRole('img');

test('updates count and canvas with every candle, and the description once they rest', async () => {
  const { feed } = await show();
  expect(chart().dataset.candleCount).toBe('2');
  expect(chart().getAttribute('aria-label')).toMatch(/^BTC: last close 11\.00 at .*, \+10\.00% over 2 candles\.$/);

  vi.useFakeTimers();
  act(() => feed.append(candle(3, 12)));
  expect(chart().dataset.candleCount).toBe('3');
  expect(canvas.append).toHaveBeenCalledOnce();
  expect(chart().getAttribute('aria-label')).not.toContain('forecast');
  vi.advanceTimersByTime(1000);
  vi.useRealTimers();
  expect(chart().getAttribute('aria-label')).toContain(
    'One plausible path of 1 forecast candles closes at 12.00, +9.09%; the 80% band there runs from 10.00 to 13.00.',
  );
});

test('reaches every candle by the arrow keys and describes its figures', async () => {
  const { feed } = await show();
  act(() => feed.append(candle(3, 9.5)));
  const slider = screen.getByRole('slider', { name: /Candles of BTC/ });
  expect(slider.getAttribute('max')).toBe('2');

  fireEvent.change(slider, { target: { value: '2' } });

  expect(slider.getAttribute('aria-valuetext')).toMatch(
    /^Forecast candle .*, \+1 min: open 10\.00, high 12\.00, low 9\.00, close 9\.50, −13\.64% from the last close; 80% band 10\.00 to 13\.00; 95% band 9\.00 to 14\.00$/,
  );
  expect(canvas.point).toHaveBeenLastCalledWith(candle(3, 9.5));
  fireEvent.blur(slider);
  expect(canvas.point).toHaveBeenLastCalledWith(null);
});

test('steps through the candles in view only', async () => {
  const feed = createCandleFeed({ candles: [candle(1), candle(2), candle(3)], joinS: null, band: null });
  const chartOf = (shownBars: number | null) => (
    <CandleChart feed={feed} name="BTC" decimals={2} horizonBars={50} shownBars={shownBars} />
  );
  const { rerender } = render(chartOf(2));
  const slider = screen.getByRole('slider');
  expect([slider.getAttribute('min'), slider.getAttribute('max')]).toEqual(['1', '2']);

  act(() => feed.append(candle(4)));
  expect([slider.getAttribute('min'), slider.getAttribute('max')]).toEqual(['2', '3']);

  rerender(chartOf(null));
  expect([slider.getAttribute('min'), slider.getAttribute('max')]).toEqual(['0', '3']);
});

test('reads the bands and the distance from the last close, and for a real candle the distance alone', async () => {
  const { feed } = await show();
  act(() => feed.append(candle(3, 9.5)));
  const figureOf = (name: string) => document.querySelector(`[data-legend="${name}"]`)?.textContent;
  const names = ['ahead', 'fromLast', 'band80', 'band95'];
  const read = (index: string) => {
    fireEvent.change(screen.getByRole('slider'), { target: { value: index } });
    return names.map(figureOf);
  };

  expect(read('2')).toEqual(['+1 min', '−13.64%', '10.00 to 13.00', '9.00 to 14.00']);
  expect(read('0')).toEqual(['', '0.00%', '', '']);
  // The last real candle is not compared with itself.
  expect(read('1')).toEqual(['', '', '', '']);
});

test('reads the bands of a minute whose candle is not drawn yet, and its prices once it is', async () => {
  let pointAt = (_timeS: number | null): void => undefined;
  canvasCode().load = async () => ({
    createCandleCanvas: (_host, options) => {
      pointAt = options.onPoint;
      return canvas;
    },
  });
  const { feed } = await show();
  const figures = () =>
    ['ahead', 'close', 'band80'].map((name) => document.querySelector(`[data-legend="${name}"]`)?.textContent);

  pointAt(180);
  expect(figures()).toEqual(['+1 min', '', '10.00 to 13.00']);

  act(() => feed.append(candle(3, 9.5)));
  expect(figures()).toEqual(['+1 min', '9.50', '10.00 to 13.00']);
});

test('writes the next candle into the texts of the last one', async () => {
  const { feed } = await show();
  const close = document.querySelector('[data-legend="close"]');
  act(() => feed.append(candle(3, 9.5)));
  const text = close?.firstChild;
  expect(close?.textContent).toBe('9.50');

  act(() => feed.append(candle(4, 9.75)));

  expect(close?.textContent).toBe('9.75');
  expect(close?.firstChild).toBe(text);
});

test('shows the candle under the pointer with its place, by key too, and drops it once other candles arrive', async () => {
  const onPoint = vi.fn();
  const { feed } = await show(onPoint);

  fireEvent.change(screen.getByRole('slider'), { target: { value: '0' } });
  expect(onPoint).toHaveBeenLastCalledWith({ candle: candle(1), place: { x: 30, y: 40 } });

  act(() => feed.reset({ candles: [candle(2), candle(3)], joinS: null, band: null }));
  expect(onPoint).toHaveBeenLastCalledWith(null);
});

test('redraws the canvas for another theme, and removes it with the chart', async () => {
  const { unmount } = await show();

  document.documentElement.dataset.theme = 'light';
  await vi.waitFor(() => expect(canvas.repaint).toHaveBeenCalledOnce());
  document.documentElement.dataset.theme = 'light';
  document.documentElement.dataset.session = 'stored';
  await Promise.resolve();
  expect(canvas.repaint).toHaveBeenCalledOnce();

  unmount();
  expect(canvas.destroy).toHaveBeenCalledOnce();
});
