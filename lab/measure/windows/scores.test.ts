import { expect, test } from 'vitest';
import { QUANTILE_LEVELS } from '../../../domain/forecast/quantiles.ts';
import { HORIZON_BARS } from '../../../domain/forecast/window.ts';
import { normalDraw, seededRandom } from '../../../server/forecast/paths/random.ts';
import { normalTable } from '../quantile-tables.ts';
import { scoreForecast } from './scores.ts';
import { symmetricQuantiles, type WindowForecast } from './window-forecast.ts';
import type { Future } from './windows.ts';

function futureOf(change: (h: number) => number, rv50 = 0.01, range50 = 0.02): Future {
  const changes = Float64Array.from({ length: HORIZON_BARS }, (_, i) => change(i + 1));
  return { returns: new Float64Array(50), blended: new Float64Array(50), change: changes, rv50, range50 };
}

/** The same quantile at every level. */
function point(value: number): WindowForecast {
  const quantiles = new Float64Array(HORIZON_BARS * QUANTILE_LEVELS.length).fill(value);
  return { quantiles, rv50: 0.02, range50: 0.02 };
}

test('scores a forecast without width by its absolute error, at every horizon', () => {
  const score = scoreForecast(
    futureOf((h) => h / 1000),
    point(0),
  );

  const [h1, h5, h10, h25, h50, all] = score.crps;
  for (const [crps, h] of [
    [h1, 1],
    [h5, 5],
    [h10, 10],
    [h25, 25],
    [h50, 50],
  ] as const) {
    expect(crps).toBeCloseTo(h / 1000, 12);
  }
  const roots = Array.from({ length: 50 }, (_, i) => Math.sqrt(i + 1) / 1000);
  expect(all).toBeCloseTo(roots.reduce((sum, root) => sum + root, 0) / 50, 12);
});

test('gives the least CRPS and the right coverage to the normal forecast with the true width', () => {
  const random = seededRandom('widths');
  const normal = normalTable();
  const futures = Array.from({ length: 400 }, () => futureOf(() => 0.001 * normalDraw(random)));
  const forecastOf = (sigma: number): WindowForecast => ({
    ...point(0),
    quantiles: symmetricQuantiles((h, level) => sigma * (normal[h - 1]?.[level] ?? 0)),
  });
  const total = (sigma: number, of: (score: ReturnType<typeof scoreForecast>) => number): number =>
    futures.reduce((sum, future) => sum + of(scoreForecast(future, forecastOf(sigma))), 0);

  const crps = [0.0007, 0.001, 0.0014].map((sigma) => total(sigma, (s) => s.crps[5] ?? 0));
  const inside = [total(0.001, (s) => s.inside80[5] ?? 0), total(0.001, (s) => s.inside95[5] ?? 0)];

  expect(crps[1]).toBeLessThan(Math.min(crps[0] ?? 0, crps[2] ?? 0));
  expect((inside[0] ?? 0) / 20_000).toBeCloseTo(0.8, 1.7);
  expect((inside[1] ?? 0) / 20_000).toBeCloseTo(0.95, 1.7);
});

test('counts a close on the edge of a band as inside', () => {
  const edges = new Float64Array(HORIZON_BARS * QUANTILE_LEVELS.length);
  for (let h = 0; h < HORIZON_BARS; h++) {
    edges.set(
      QUANTILE_LEVELS.map((level) => level - 0.5),
      h * QUANTILE_LEVELS.length,
    );
  }

  const onEdge = scoreForecast(
    futureOf(() => QUANTILE_LEVELS[21] - 0.5),
    { ...point(0), quantiles: edges },
  );
  const beyond = scoreForecast(
    futureOf(() => 0.401),
    { ...point(0), quantiles: edges },
  );

  expect([onEdge.inside80[5], onEdge.inside95[5]]).toEqual([50, 50]);
  expect([beyond.inside80[0], beyond.inside80[5], beyond.inside95[5]]).toEqual([0, 0, 50]);
});

test('counts a median as a call only when it has a direction', () => {
  const rising = futureOf((h) => (h === 1 ? 0 : 0.001));

  const none = scoreForecast(rising, point(0));
  const right = scoreForecast(rising, point(0.0005));
  const wrong = scoreForecast(rising, point(-0.0005));

  expect([none.calls, none.hits]).toEqual([0, 0]);
  expect([right.calls, right.hits]).toEqual([49, 49]);
  expect([wrong.calls, wrong.hits]).toEqual([49, 0]);
  expect(none.medianError).toBeCloseTo(none.lastCloseError, 12);
  expect(right.medianError).toBeLessThan(right.lastCloseError);
});

test('measures volatility and range by their logarithm, and has no error for an unchanged market', () => {
  const moved = scoreForecast(
    futureOf(() => 0, 0.01, 0.02),
    point(0),
  );
  const still = scoreForecast(
    futureOf(() => 0, 0, 0),
    point(0),
  );

  expect(moved.rvError).toBeCloseTo(Math.log(2), 12);
  expect(moved.rangeError).toBeCloseTo(0, 12);
  expect([still.rvError, still.rangeError]).toEqual([Number.NaN, Number.NaN]);
});
