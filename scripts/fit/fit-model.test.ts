/** The whole fit on made-up candles whose volatility clusters: it must come out calibrated, and the measuring must not be fooled. */
import { beforeAll, expect, test } from 'vitest';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { generatedCandles } from '../../server/forecast/generated-candles.ts';
import type { HarModel } from '../../server/forecast/model-file.ts';
import { harModelSchema } from '../../server/forecast/model-file.ts';
import { seededRandom } from '../../server/forecast/random.ts';
import type { CandleFile } from '../measure/candle-files.ts';
import { fitModel } from './fit-model.ts';
import { bobcat } from './forecasters.ts';
import { measure } from '../measure/measure.ts';
import { standardGroups } from '../measure/measured-symbols.ts';
import { measureRealism } from './realism.ts';
import { scoreWindow } from '../measure/scores.ts';
import type { Window } from '../measure/windows.ts';

const DAYS = 1440;
const at = (iso: string): number => Date.parse(iso) / 1000;

let files: CandleFile[] = [];
let model: HarModel;
let windows: Window[] = [];

beforeAll(() => {
  const span = (seed: string, startS: number, days: number) =>
    generatedCandles({ seed, count: days * DAYS, startS, firstOpen: 2500, tickSize: 0.01 });
  const candles = [
    ...span('past', at('2024-12-17T00:00:00Z'), 15),
    ...span('between', at('2025-01-01T00:00:00Z'), 10),
    ...span('after', at('2025-03-01T00:00:00Z'), 10),
  ];
  files = [{ name: 'ETHUSDT', assetClass: 'crypto', tickSize: 0.01, sha256: '', candles }];
  model = fitModel(files, () => undefined).model;
  windows = standardGroups(files, 29).flatMap((g) => g.symbols.flatMap((s) => [...s.windows]));
}, 60_000);

test('the fitted model has the shape that the registry asks for', () => {
  expect(harModelSchema.parse(JSON.parse(JSON.stringify(model)))).toEqual(model);
});

test('on later candles the bands cover what they say and volatility beats the plain walk', () => {
  const [group] = standardGroups(files, 29);

  const table = measure(model, group?.symbols ?? []);

  expect(Math.abs(table.coverage.pooled80[0] - 80)).toBeLessThan(5);
  expect(Math.abs(table.coverage.pooled95[0] - 95)).toBeLessThan(3);
  expect(table.rv50SkillPercent['ewma-gauss']?.[0]).toBeGreaterThan(5);
  expect(table.crpsSkillPercent['ewma-gauss']?.all?.[0]).toBeGreaterThan(0);
});

test('no drawn candle is broken, and drawn candles are as rough and wide as the market', () => {
  const realism = measureRealism(model, 'v', windows);

  expect(realism.invariantViolations).toBe(0);
  expect(Math.abs(realism.roughnessRatio - 1)).toBeLessThan(0.1);
  expect(Math.abs(realism.rangeRatio - 1)).toBeLessThan(0.1);
});

test('fitting twice gives the same digits', () => {
  expect(JSON.stringify(fitModel(files, () => undefined).model)).toBe(JSON.stringify(model));
}, 60_000);

test('a forecaster that peeks at the target stands out by a factor', () => {
  const honest = bobcat(model);
  const crpsOf = (sigmaOf: (w: Window) => Float64Array): number =>
    windows.reduce((sum, w) => {
      const forecast = honest.of(w);
      return sum + (scoreWindow(w, { ...forecast, sigma: sigmaOf(w) }).crps.at(-1) ?? 0);
    }, 0);

  const plain = crpsOf((w) => honest.of(w).sigma);
  const peeking = crpsOf((w) => w.future.change.map((y) => Math.max(1e-9, Math.abs(y))));

  expect(1 - peeking / plain).toBeGreaterThan(0.1);
});

test('with targets shuffled among windows no volatility forecast has skill left', () => {
  const random = seededRandom('shuffle');
  const shuffled = windows
    .map((w) => ({ w, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ w }, i) => ({ ...w, future: windows[i]?.future ?? w.future }));
  const meanSigma = Float64Array.from({ length: HORIZON_BARS }, (_, i) => {
    const squares = windows.reduce((sum, w) => sum + (bobcat(model).of(w).sigma[i] ?? 0) ** 2, 0);
    return Math.sqrt(squares / windows.length);
  });
  const total = (set: readonly Window[], sigmaOf: (w: Window) => Float64Array | null): number =>
    set.reduce((sum, w) => {
      const forecast = bobcat(model).of(w);
      return sum + (scoreWindow(w, { ...forecast, sigma: sigmaOf(w) ?? forecast.sigma }).crps.at(-1) ?? 0);
    }, 0);

  const skill = (set: readonly Window[]): number => 1 - total(set, () => null) / total(set, () => meanSigma);

  expect(skill(windows)).toBeGreaterThan(0.01);
  expect(skill(shuffled)).toBeLessThan(0);
});
