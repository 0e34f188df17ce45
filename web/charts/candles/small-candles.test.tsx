import { render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { bodyWidth, SmallCandles } from './small-candles.tsx';

test.each([
  [2.1, 1],
  [3.4, 3],
  [4.2, 3],
  [4, 3],
  [5.4, 5],
])('draws candles %d screen pixels apart with bodies of %d', (step, expected) => {
  expect(bodyWidth(step)).toBe(expected);
});

/** Draws a rising and a falling candle and returns the colour of every rectangle. */
function stylesAt(width: number): string[] {
  const styles: string[] = [];
  const context = {
    fillStyle: '',
    fillRect(_x: number, _y: number, w: number, h: number) {
      if (w > 0 && h > 0) styles.push(this.fillStyle);
    },
  };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(width);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(100);
  const rising = { time: 60, open: 1, high: 9, low: 0, close: 8 };
  const candles = [rising, { ...rising, time: 120, open: 8, close: 1 }];
  vi.spyOn(window, 'getComputedStyle').mockImplementation(
    (element) => ({ color: COLOURS[(element as HTMLElement).style.color] ?? 'rgb(0, 0, 0)' }) as CSSStyleDeclaration,
  );
  render(<SmallCandles candles={candles} joinS={null} name="BTC" decimals={1} />);
  return styles;
}

const COLOURS: Record<string, string> = {
  'var(--surface)': 'rgb(4, 4, 4)',
  'var(--up)': 'rgb(10, 200, 10)',
  'var(--down)': 'rgb(200, 10, 10)',
};

test('hollows a rising body as soon as it is three pixels wide', () => {
  const styles = stylesAt(16 + 2 * 4);

  expect(styles).toContain('rgb(4, 4, 4)');
  expect(styles.at(-1)).toBe('rgb(200, 10, 10)');
});

test('draws a body of one pixel paler when it rises', () => {
  const styles = stylesAt(16 + 2 * 2);

  expect(styles).not.toContain('rgb(4, 4, 4)');
  expect(styles).toContain('rgba(10, 200, 10, 0.7)');
  expect(styles.at(-1)).toBe('rgba(200, 10, 10, 1)');
});

test('draws both bands from the last real close, inside the picture although they reach beyond the candles', () => {
  const fills: { style: string; points: [number, number][] }[] = [];
  let points: [number, number][] = [];
  const context = {
    fillStyle: '',
    fillRect: () => undefined,
    beginPath() {
      points = [];
    },
    lineTo: (x: number, y: number) => points.push([x, y]),
    closePath: () => undefined,
    fill() {
      fills.push({ style: this.fillStyle, points });
    },
  };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(16 + 3 * 10);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(116);
  const candle = { time: 60, open: 10, high: 10, low: 10, close: 10 };
  const candles = [candle, { ...candle, time: 120 }, { ...candle, time: 180 }];
  const band = { lower80: [9, 8], upper80: [11, 12], lower95: [7, 5], upper95: [13, 15] };

  render(<SmallCandles candles={candles} joinS={60} name="BTC" decimals={1} band={band} />);

  // Prices of 5 to 15 fill the 100 pixels between 8 and 108, the last real candle's middle is at 13.
  expect(fills.map((fill) => fill.points)).toEqual([
    [
      [13, 58],
      [23, 28],
      [33, 8],
      [33, 108],
      [23, 88],
      [13, 58],
    ],
    [
      [13, 58],
      [23, 48],
      [33, 38],
      [33, 78],
      [23, 68],
      [13, 58],
    ],
  ]);
  expect(fills.map(({ style }) => style)).toEqual([
    expect.stringMatching(/, 0\.1\)$/),
    expect.stringMatching(/, 0\.22\)$/),
  ]);
});
