/** Tables fitted on generated candles, with the volatility of a plain walk instead of a network's. */
import { beforeAll, expect, test } from 'vitest';
import { pathTablesSchema, type StoredPathTables } from '../../server/forecast/models/manifest.ts';
import { computeForecast } from '../../server/forecast/network/network-forecast.ts';
import { binOf, inverse } from '../../server/forecast/paths/paths.ts';
import { RealismTally } from '../measure/realism.ts';
import { gaussianNetwork, generatedFile } from '../measure/testing/measure-fixtures.ts';
import { tickSizeOf } from '../measure/tick-size.ts';
import { windowsOf } from '../measure/windows/windows.ts';
import { calibratePaths, fitPathTables } from './fit-path-tables.ts';
import { shareInside } from './path-spread.ts';
import { type ForecastWindow, forecastWindows } from './window-outputs.ts';

const HALF_S = 1_735_689_600 + 12 * 86_400;

let fitting: ForecastWindow[];
let later: ForecastWindow[];
let fitted: StoredPathTables;
let tables: StoredPathTables;

beforeAll(async () => {
  const file = generatedFile('PATHS', 24);
  const cut = (startS: number, endS: number, strideMinutes: number) =>
    forecastWindows(gaussianNetwork(), [...windowsOf(file, { startS, endS }, strideMinutes)]);
  fitting = await cut(0, HALF_S, 41);
  later = await cut(HALF_S, Number.POSITIVE_INFINITY, 101);
  fitted = fitPathTables(fitting, () => 1);
  tables = calibratePaths(fitted, later);
});

test('writes tables in the shape that serving requires, with rising distributions', () => {
  expect(pathTablesSchema.parse(JSON.parse(JSON.stringify(tables)))).toEqual(tables);
  for (const row of [...tables.absReturn, ...tables.wicks.flat(), ...tables.aheadShare]) {
    expect(row).toHaveLength(tables.probabilities.length);
    expect(row).toEqual([...row].sort((a, b) => a - b));
  }
});

test('draws sound candles, as rough and as wide as the real ones', () => {
  const tally = new RealismTally();
  for (const { window, volatility } of later) {
    const { name, assetClass } = window.file;
    const subject = { sym: name, assetClass, tickSize: tickSizeOf(window) };
    tally.add(window, computeForecast(tables, 'test', subject, window.features, volatility).path);
  }

  const realism = tally.figures();

  expect(realism.invariantViolations).toBe(0);
  expect(Math.abs(realism.roughnessRatio - 1)).toBeLessThan(0.05);
  expect(Math.abs(realism.rangeRatio - 1)).toBeLessThan(0.05);
  expect(realism.ksDistance).toBeLessThan(0.03);
});

test('holds four in five closes of the 64 paths inside the 80% band', () => {
  expect(shareInside(tables, later)).toBeCloseTo(0.8, 1.5);
  expect(Math.abs(shareInside(fitted, later) - 0.8)).toBeGreaterThan(Math.abs(shareInside(tables, later) - 0.8));
});

test('fits the same digits twice', () => {
  const [someFitting, someLater] = [fitting.slice(0, 100), later.slice(0, 20)];
  const digits = (): string =>
    JSON.stringify(
      calibratePaths(
        fitPathTables(someFitting, () => 1),
        someLater,
      ),
    );

  expect(digits()).toBe(digits());
});

test('leaves no heap at zero in the tables for a coarse tick', async () => {
  const fine = generatedFile('TICKS', 8);
  const tickSize = 2;
  const onTicks = (price: number): number => Math.round(price / tickSize) * tickSize;
  const candles = fine.candles.map((c) => ({
    ...c,
    open: onTicks(c.open),
    high: onTicks(c.high),
    low: onTicks(c.low),
    close: onTicks(c.close),
  }));
  const coarse = { ...fine, tickSize, candles };
  const span = { startS: 0, endS: Number.POSITIVE_INFINITY };
  const forecasts = await forecastWindows(gaussianNetwork(), [...windowsOf(coarse, span, 17)]);
  const still = forecasts.flatMap(({ window }) => Array.from(window.future.returns)).filter((r) => r === 0).length;

  const { absReturn, probabilities, previousEdges } = fitPathTables(forecasts, () => 1);

  expect(still / (50 * forecasts.length)).toBeGreaterThan(0.15);
  const ordinary = absReturn[binOf(0.7, previousEdges)] ?? [];
  expect(inverse(probabilities, ordinary, 0.05)).toBeGreaterThan(0.01);
});
