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
