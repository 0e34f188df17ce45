import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { DayChart } from './day-chart.tsx';
import { Doughnut } from './doughnut.tsx';
import { ScatterChart } from './scatter-chart.tsx';
import { pointsOf, Sparkline } from './sparkline.tsx';

const picture = () => screen.getByRole('img');
const label = () => picture().getAttribute('aria-label');
/** 'M48 14' of a path: its first place. */
const numbers = (d: string | null | undefined) => (d?.match(/-?[\d.]+/g) ?? []).map(Number);

const renewals = (bobcat: number[], lion: number[]) =>
  render(
    <DayChart
      name="Renewals"
      kind="bars"
      days={['2026-11-20', '2026-11-21', '2026-11-22']}
      series={[
        { name: 'Bobcat', shape: 'circle', values: bobcat },
        { name: 'Lion', shape: 'square', values: lion },
      ]}
      height={300}
      restingIndex={0}
    />,
  );

test('stacks bars as high as their counts, in a picture of the requested height', () => {
  renewals([2, 0, 1], [1, 0, 3]);

  expect(picture().getAttribute('height')).toBe('300');
  const bars = [...picture().querySelectorAll('[data-value]')];
  expect(bars.map((bar) => bar.getAttribute('data-value'))).toEqual(['2', '1', '1', '3']);
  const [bobcat, lion] = bars.map((bar) => ({
    y: Number(bar.getAttribute('y')),
    height: Number(bar.getAttribute('height')),
  }));
  expect(bobcat?.height).toBeCloseTo(2 * (lion?.height ?? 0), 1);
  expect((lion?.y ?? 0) + (lion?.height ?? 0)).toBeCloseTo(bobcat?.y ?? 0, 1);
});

test('describes the drawing: span, sums and the highest day', () => {
  renewals([2, 0, 1], [1, 0, 3]);

  expect(label()).toBe(
    'Renewals, 3 days from 20 Nov 2026, UTC to 22 Nov 2026, UTC. Total: Bobcat 3, Lion 4. Highest on 22 Nov 2026, UTC: 4.',
  );
});

test('moves from day to day by the arrow keys', () => {
  renewals([2, 0, 1], [1, 0, 3]);
  const slider = screen.getByRole('slider', { name: /Renewals/ });
  expect(slider.getAttribute('aria-valuetext')).toBe('20 Nov 2026, UTC: Bobcat 2; Lion 1');

  fireEvent.change(slider, { target: { value: '2' } });

  expect(slider.getAttribute('aria-valuetext')).toBe('22 Nov 2026, UTC: Bobcat 1; Lion 3');
});

test('draws a picture of zeros with a ground and no bars', () => {
  renewals([0, 0, 0], [0, 0, 0]);

  expect(picture().querySelectorAll('[data-value]')).toHaveLength(0);
  expect(label()).not.toMatch(/Most on/);
});

test('draws a line through its days from left to right, higher where there is more', () => {
  render(
    <DayChart
      name="Predictions per Day"
      kind="line"
      days={['2026-11-20', '2026-11-21']}
      series={[{ name: 'Predictions', shape: 'square', values: [1, 4] }]}
      height={300}
      restingIndex={1}
    />,
  );

  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbers(picture().querySelector('path[class*="line"]')?.getAttribute('d'));
  expect(x2).toBeGreaterThan(x1);
  expect(y2).toBeLessThan(y1);
});

const ring = (bobcat: number, lion: number) =>
  render(
    <Doughnut
      name="Paid Plan Mix"
      unit="paid users"
      shares={[
        { name: 'Bobcat', shape: 'circle', value: bobcat },
        { name: 'Lion', shape: 'square', value: lion },
      ]}
      height={260}
    />,
  );

test('describes the shares of a ring and their sum', () => {
  ring(3, 1);

  expect(label()).toBe('Paid Plan Mix: 4 paid users. Bobcat 3 (75%), Lion 1 (25%).');
  expect(picture().getAttribute('height')).toBe('260');
  expect(picture().querySelectorAll('[data-value]')).toHaveLength(2);
});

test.each([
  ['one share alone', 0, 5, 1],
  ['nobody', 0, 0, 0],
])('draws a ring of %s', (_what, bobcat, lion, parts) => {
  ring(bobcat, lion);

  const drawn = [...picture().querySelectorAll('[data-value]')];
  expect(drawn).toHaveLength(parts);
  for (const path of drawn) expect(path.getAttribute('d')).not.toMatch(/NaN/);
});

test('places points by day and value, and describes each on a step', () => {
  render(
    <ScatterChart
      name="User Quotas"
      axis="days of the period"
      maxX={30}
      placeText={(x) => `day ${x}`}
      unit="left"
      series={[
        {
          name: 'Bobcat',
          shape: 'circle',
          points: [
            { x: 3, y: 10 },
            { x: 3, y: 40 },
            { x: 30, y: 0 },
          ],
        },
        { name: 'Lion', shape: 'square', points: [] },
      ]}
      height={260}
    />,
  );

  const [low, high, last] = (picture().querySelector('[data-points="3"]')?.getAttribute('d') ?? '')
    .split('M')
    .slice(1)
    .map(numbers);
  expect(low?.[0]).toBe(high?.[0]);
  expect(low?.[1]).toBeGreaterThan(high?.[1] ?? 0);
  expect(last?.[0]).toBeGreaterThan(low?.[0] ?? 0);
  expect(label()).toBe('User Quotas by days of the period, 0 to 30. Bobcat: 3 points, 0 to 40 left. Lion: none.');
  expect(screen.getByRole('slider').getAttribute('aria-valuetext')).toBe('day 3: Bobcat 10 to 40 left; Lion none');
  const axis = [...picture().querySelectorAll('text[text-anchor="middle"]')].map((tick) => tick.textContent);
  expect(axis).toEqual(['0', '5', '10', '15', '20', '25', '30']);
});

test('draws a small line from left to right within its picture, and says what it shows', () => {
  render(<Sparkline values={[2, 4, 3]} label="7 days: +50.00%" />);

  const line = screen.getByRole('img', { name: '7 days: +50.00%' });
  expect(line.querySelector('polyline')?.getAttribute('points')).toBe('1.5,20.5 36.0,1.5 70.5,11.0');
  expect(pointsOf([5, 5])).toBe('1.5,11.0 70.5,11.0');
});
