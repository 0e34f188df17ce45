import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Interval } from '#domain/forecast/model-figures.ts';
import { CoverageChart } from './coverage-chart.tsx';
import { IntervalChart } from './interval-chart.tsx';

const COLUMNS = [
  ['1', 'at 1 minute'],
  ['50', 'at 50 minutes'],
] as const;

const intervals = () =>
  render(
    <IntervalChart
      name="Skill"
      columns={COLUMNS}
      series={[
        {
          name: 'Lion',
          shape: 'triangle',
          values: [
            [1, 0.5, 1.5],
            [-0.5, -1, 0.25],
          ],
        },
      ]}
      restingIndex={1}
    />,
  );

/** Heights at which whiskers begin and end, and where the line at zero lies. */
function heights() {
  const chart = screen.getByRole('img');
  const whiskers = [...chart.querySelectorAll('path[class*="whisker"]')].map((path) => {
    const [, from = Number.NaN, to = Number.NaN] =
      /M[\d.]+ ([\d.]+)V([\d.]+)/.exec(path.getAttribute('d') ?? '')?.map(Number) ?? [];
    return { from, to };
  });
  const zero = Number(/M\d+ ([\d.]+)H/.exec(chart.querySelector('path[class*="zero"]')?.getAttribute('d') ?? '')?.[1]);
  return { whiskers, zero };
}

test('draws an interval above zero above the line, and one that holds zero across it', () => {
  intervals();

  const { whiskers, zero } = heights();

  expect(whiskers[0]?.from).toBeLessThan(zero);
  expect(whiskers[0]?.to).toBeLessThan(whiskers[0]?.from ?? 0);
  expect(whiskers[1]?.from).toBeGreaterThan(zero);
  expect(whiskers[1]?.to).toBeLessThan(zero);
});

test.each([0, 1e-8, 0.003])('distinguishes the axis ticks with figures of %d beside the line', (value) => {
  const series = [{ name: 'Lion', shape: 'triangle' as const, values: [value, [0, -value, value] satisfies Interval] }];
  render(<IntervalChart name="Skill" columns={COLUMNS} series={series} restingIndex={0} />);

  const labels = [...screen.getByRole('img').querySelectorAll('g > text')].map((label) => label.textContent);

  expect(labels.length).toBeGreaterThan(2);
  expect(new Set(labels).size).toBe(labels.length);
});

test('moves through the columns by the slider, and the figures below follow', () => {
  intervals();
  expect(screen.getByText('at 50 minutes')).toBeDefined();

  fireEvent.change(screen.getByRole('slider', { name: 'Skill: move with the arrow keys' }), { target: { value: '0' } });

  expect(screen.getByText('at 1 minute')).toBeDefined();
  expect(screen.getByText('+1.00% [0.50, 1.50]')).toBeDefined();
});

test('leaves no mark for what was not measured, and says so', () => {
  render(
    <CoverageChart
      name="Inside"
      rows={['overall', 'AAA']}
      series={[{ name: 'Lion', shape: 'circle', values: [[79.9, 79.2, 80.7], null] }]}
      target={80}
      tolerance={2}
    />,
  );

  expect(screen.getByRole('img').querySelectorAll('circle')).toHaveLength(1);
  expect(screen.getByRole('img').getAttribute('aria-label')).toContain('AAA not measured');
  expect(screen.getByText('79.9 [79.2, 80.7]')).toBeDefined();
});
