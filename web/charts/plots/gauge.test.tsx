import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Gauge } from './gauge.tsx';

const show = (angle: number | null, max = 70) =>
  render(
    <Gauge name="Lean of the path" angle={angle} max={max} left="Sell" right="Buy" description="+0.10%, to buy" />,
  );
const needle = () => document.querySelector('[data-angle]');

test.each([
  [23.333_333, 70, '23.33'],
  [-12, 70, '-12'],
  [0, 70, '0'],
  [-0, 70, '0'],
  [400, 70, '70'],
  [-71, 70, '-70'],
  [85, 90, '85'],
])('points the needle at %d of %d degrees to %s', (angle, max, expected) => {
  show(angle, max);

  expect(needle()?.getAttribute('data-angle')).toBe(expected);
  expect(needle()?.getAttribute('transform')).toBe(`rotate(${expected} 100 96)`);
});

test('describes what it shows', () => {
  show(23);

  expect(screen.getByRole('img', { name: 'Lean of the path: +0.10%, to buy' })).toBeDefined();
});

test('shows a scale and no needle without a reading', () => {
  show(null);

  expect(needle()).toBeNull();
  expect(document.querySelectorAll('path[d*="A82"]')).toHaveLength(3);
});
