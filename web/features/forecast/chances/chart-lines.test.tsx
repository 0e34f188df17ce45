import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { SYMBOLS } from '#domain/market/symbols.ts';
import type { PriceScale } from '../../../charts/overlays/price-scale.ts';
import { type ChartLine, ChartLines } from './chart-lines.tsx';

const [BTC] = SYMBOLS;
const PANE = { width: 600, height: 200 };
/** Ten pixels are a dollar: the pane shows prices from 90 at its bottom to 110 at its top. */
const yOf = (price: number) => (110 - price) * 10;

const onMove = vi.fn();
const showTags = vi.fn<PriceScale['showTags']>();
let redraw = () => {};
let isDrawn = true;
let scale: PriceScale;

beforeEach(() => {
  onMove.mockReset();
  showTags.mockReset();
  isDrawn = true;
  const element = document.createElement('div');
  scale = {
    guest: {},
    yOf: (price) => (isDrawn ? yOf(price) : null),
    priceAt: (y) => (isDrawn ? 110 - y / 10 : null),
    pane: () => (isDrawn ? { element, ...PANE } : null),
    showTags,
    listen: (onDraw) => {
      redraw = onDraw;
      return () => {
        redraw = () => {};
      };
    },
  };
});

const aLine = (price: number, note: string | null = null): ChartLine => ({ id: 'line', name: 'Line', price, note });

function show(line = aLine(100), price: number | null = 100) {
  render(<ChartLines lines={[line]} frame={document.body} scale={scale} symbol={BTC} price={price} onMove={onMove} />);
  const shown = document.querySelector<HTMLElement>('[data-line]') ?? expect.fail('no line');
  shown.setPointerCapture = vi.fn();
  return shown;
}
const slider = () => screen.getByRole('slider', { name: 'Line on the chart' });
const grab = (line: HTMLElement, clientY: number, button = 0) =>
  fireEvent.pointerDown(line, { button, pointerId: 3, clientY });
const dragTo = (line: HTMLElement, clientY: number) => fireEvent.pointerMove(line, { clientY });
const moves = () => onMove.mock.calls;

test('follows the pointer from where it was grabbed, to whole ticks, until it is dropped', () => {
  const line = show();
  dragTo(line, 50);
  expect(moves()).toEqual([]);

  // Three pixels below the line.
  expect(grab(line, yOf(100) + 3)).toBe(false);
  expect(document.activeElement).toBe(slider());
  expect(line.setPointerCapture).toHaveBeenCalledWith(3);
  dragTo(line, yOf(105) + 3);
  dragTo(line, yOf(104.96) + 3);
  expect(moves()).toEqual([
    ['line', 105],
    ['line', 105],
  ]);
  fireEvent.pointerUp(line);
  dragTo(line, 0);

  expect(moves()).toHaveLength(2);
});

test('stops at the edges of the chart', () => {
  const line = show();
  grab(line, yOf(100));
  dragTo(line, -500);
  dragTo(line, 900);

  expect(moves()).toEqual([
    ['line', 110],
    ['line', 90],
  ]);
});

test('never moves a line to a price of 0 or less, which a chart may show', () => {
  scale.priceAt = (y) => 5 - y;
  const line = show();
  grab(line, yOf(100));
  dragTo(line, 5);
  dragTo(line, 7);
  expect(moves()).toEqual([]);
  dragTo(line, 4);

  expect(moves()).toEqual([['line', 1]]);
});

test.each([
  ['a button that opens a menu', () => 2],
  [
    'any button while no chart is drawn',
    () => {
      isDrawn = false;
      return 0;
    },
  ],
])('is not grabbed by %s', (_what, press) => {
  const line = show();
  expect(grab(line, yOf(100), press())).toBe(true);
  dragTo(line, 0);

  expect(moves()).toEqual([]);
});

test.each([
  ['above', 120, 0, true],
  ['below', 80, PANE.height, false],
])('keeps a line %s the chart at its edge, where it can be grabbed', (where, price, y, isUnder) => {
  const line = show(aLine(price));
  expect([line.dataset.beyond, line.style.transform]).toEqual([where, `translateY(${y}px)`]);
  // At the top the label goes under its line.
  expect(line.hasAttribute('data-under')).toBe(isUnder);

  grab(line, y);
  dragTo(line, yOf(100));
  expect(moves()).toEqual([['line', 100]]);
});

test('tags its price on the axis, and takes the tag along when it goes', () => {
  show(aLine(101.5));
  expect(showTags.mock.lastCall?.[0]).toMatchObject([{ price: 101.5, text: '101.5' }]);

  cleanup();

  expect(showTags.mock.lastCall?.[0]).toEqual([]);
});

test('stays at its price as the chart is drawn again, and waits while none is', () => {
  const line = show();
  expect([line.style.transform, line.dataset.beyond]).toEqual(['translateY(100px)', '']);

  scale.yOf = (price) => yOf(price) / 2;
  act(() => redraw());
  expect(line.style.transform).toBe('translateY(50px)');
  isDrawn = false;
  act(() => redraw());
  expect(line.parentElement?.hasAttribute('data-waiting')).toBe(true);
  isDrawn = true;
  act(() => redraw());
  expect(line.parentElement?.hasAttribute('data-waiting')).toBe(false);
});

test('shows its answer in short, and tells screen readers its price and range', () => {
  const line = show(aLine(101, 'touched 44%'));

  expect(line.textContent).toContain('touched 44%');
  expect(slider().getAttribute('aria-valuetext')).toBe('101.0, 1.00% above the price');
  const range = ['valuemin', 'valuenow', 'valuemax'].map((name) => Number(slider().getAttribute(`aria-${name}`)));
  expect(range).toEqual([50, 101, 200]);
});

test('has a price and a range before the current price is known', () => {
  show(aLine(101), null);

  expect(slider().getAttribute('aria-valuetext')).toBe('101.0');
  expect([slider().getAttribute('aria-valuemin'), slider().getAttribute('aria-valuemax')]).toEqual(['50.5', '202']);
});

test('leaves a key that moves nothing to the page', () => {
  show();

  expect(fireEvent.keyDown(slider(), { key: 'Tab' })).toBe(true);
  expect(fireEvent.keyDown(slider(), { key: 'ArrowUp' })).toBe(false);
  expect(moves()).toEqual([['line', 100.1]]);
});
