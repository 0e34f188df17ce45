import { fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { LineTexts } from './describe-line.ts';
import { LineCanvas } from './line-canvas.tsx';
import type { LinePoint } from './line-layout.ts';

const TEXTS: LineTexts = {
  name: 'BTC-USD, weekly closes',
  format: (value) => `${value}.0`,
  placeOf: (timeS) => `week ${timeS / 604_800}`,
};
const line = (...values: number[]): LinePoint[] => values.map((value, i) => ({ timeS: (i + 1) * 604_800, value }));

/** What was drawn: calls of a canvas that only listens. */
function listenToCanvas() {
  const calls: [string, unknown[]][] = [];
  const context = new Proxy(
    {},
    {
      get(_target, name: string) {
        return (...args: unknown[]) => {
          calls.push([name, args]);
          return name === 'measureText' ? { width: 40 } : { addColorStop: () => {} };
        };
      },
      set: () => true,
    },
  );
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
  return { texts: () => calls.filter(([name]) => name === 'fillText').map(([, [text]]) => text), calls };
}

let drawn: ReturnType<typeof listenToCanvas>;
beforeEach(() => {
  drawn = listenToCanvas();
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600);
});

const show = (points: LinePoint[], isLastOpen = true) =>
  render(<LineCanvas points={points} isLastOpen={isLastOpen} texts={TEXTS} />);
const readout = () => document.querySelector('[data-readout]')?.textContent;

test('describes where the line is, how far it moved and its ends', () => {
  show(line(100, 150, 50, 120));

  const chart = screen.getByRole('img');
  expect(chart.getAttribute('aria-label')).toBe(
    'BTC-USD, weekly closes: 120.0, week 4 (in progress); +20.00% since 100.0, week 1, over 4 points. Highest 150.0, week 2; lowest 50.0, week 3.',
  );
  expect(chart.dataset.pointCount).toBe('4');
  expect(readout()).toBe('120.0▲ +140.00%week 4, in progress');
});

test('says nothing of an open end for a finished line', () => {
  show(line(100, 90), false);

  expect(screen.getByRole('img').getAttribute('aria-label')).not.toContain('in progress');
  expect(readout()).toBe('90.0▼ −10.00%week 2');
});

test('moves along the line by arrow keys, and shows the newest again on leaving', () => {
  show(line(100, 150, 50, 120));
  const slider = screen.getByRole('slider', { name: 'Points of BTC-USD, weekly closes: move with the arrow keys' });

  fireEvent.focus(slider);
  fireEvent.change(slider, { target: { value: '1' } });

  expect(readout()).toBe('150.0▲ +50.00%week 2');
  expect(slider.getAttribute('aria-valuetext')).toBe('week 2: 150.0, +50.00%');
  expect(screen.getByRole('img').dataset.index).toBe('1');

  fireEvent.blur(slider);
  expect(readout()).toContain('week 4');
  expect(screen.getByRole('img').dataset.index).toBeUndefined();
});

test('shows no change for the first point', () => {
  show(line(100, 150));

  fireEvent.change(screen.getByRole('slider'), { target: { value: '0' } });

  expect(readout()).toBe('100.0week 1');
});

test('shows the point below a pointer', () => {
  show(line(100, 150, 50, 120));

  fireEvent.pointerMove(screen.getByRole('img'), { clientX: 5 });
  expect(readout()).toContain('week 1');
  fireEvent.pointerMove(screen.getByRole('img'), { clientX: 590 });
  expect(readout()).toContain('week 4');
  fireEvent.pointerLeave(screen.getByRole('img'));
  expect(screen.getByRole('img').dataset.index).toBeUndefined();
});

test('draws sharply on a screen of two pixels in one', () => {
  vi.stubGlobal('devicePixelRatio', 2);
  show(line(100, 150));

  const canvas = document.querySelector('canvas');
  expect([canvas?.width, canvas?.height]).toEqual([1200, 560]);
  expect(drawn.calls.filter(([name]) => name === 'scale').at(-1)).toEqual(['scale', [2, 2]]);
  vi.unstubAllGlobals();
});

test('labels the axis with round figures', () => {
  show(line(100, 150));

  expect(drawn.texts()).toEqual(expect.arrayContaining(['100.0', '120.0', '140.0']));
});

test('says so when there is no point, and offers nothing to move through', () => {
  show([]);

  expect(screen.getByText('No data')).toBeDefined();
  expect(screen.getByRole('img').getAttribute('aria-label')).toBe('BTC-USD, weekly closes: No data.');
  expect(screen.getByRole('img').dataset.pointCount).toBe('0');
  expect(screen.queryByRole('slider')).toBeNull();
});

test('forgets a selected place of a longer line with that line', () => {
  const { rerender } = show(line(100, 150, 50, 120));
  fireEvent.change(screen.getByRole('slider'), { target: { value: '3' } });

  rerender(<LineCanvas points={line(7, 8)} isLastOpen texts={TEXTS} />);

  expect(readout()).toContain('8.0');
});
