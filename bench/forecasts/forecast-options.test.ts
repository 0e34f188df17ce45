import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BadInput } from '../../scripts/measure/bad-input.ts';
import { forecastBenchOptions } from './forecast-options.ts';

test('measures only speed without arguments, with a stride that shares no factor with 60', () => {
  const options = forecastBenchOptions([]);

  expect(options).toMatchObject({ dataDir: null, span: null, strideBars: 29, outFile: null, measuresSpeed: true });
  expect(options.modelsDir).toMatch(/models$/);
});

test('reads a date as midnight UTC, a time as UTC unless it has a zone, and an absent end as open', () => {
  const spanOf = (...args: string[]) => forecastBenchOptions(['--data', 'd', ...args]).span;

  expect(spanOf('--from', '2025-03-01', '--to', '2025-04-01T12:30')).toEqual({
    startS: Date.parse('2025-03-01T00:00:00Z') / 1000,
    endS: Date.parse('2025-04-01T12:30:00Z') / 1000,
  });
  expect(spanOf('--to', '2025-04-01T00:00+02:00')).toEqual({
    startS: 0,
    endS: Date.parse('2025-03-31T22:00:00Z') / 1000,
  });
  expect(spanOf('--from', '2025-03-01T05:00:30Z')?.endS).toBe(Number.POSITIVE_INFINITY);
});

test('takes the models, and a stride, of the timeframe', () => {
  const options = forecastBenchOptions(['--data', 'd', '--models', 'm', '--timeframe', '15min']);

  expect(options).toMatchObject({ timeframe: '15min', strideBars: 1, modelsDir: join('m', '15min') });
  expect(forecastBenchOptions(['--data', 'd', '--models', 'm'])).toMatchObject({ timeframe: '1min', modelsDir: 'm' });
  expect(forecastBenchOptions(['--data', 'd', '--timeframe', '5min', '--stride', '7']).strideBars).toBe(7);
});

test.each([
  [['--data', 'd', '--timeframe', '10min'], '--timeframe 10min: one of 1min, 5min, 15min is needed'],
  [['--data', 'd', '--timeframe', ''], '--timeframe : one of'],
  [['--data', 'd', '--stride', '0'], '--stride 0'],
  [['--data', 'd', '--stride', '2.5'], '--stride 2.5'],
  [['--data', 'd', '--stride', 'often'], '--stride often'],
  [['--data', 'd', '--from', '2025-02-30'], "--from 2025-02-30 isn't an ISO date"],
  [['--data', 'd', '--from', '01.03.2025'], "--from 01.03.2025 isn't an ISO date"],
  [['--data', 'd', '--to', '2025-03-01T25:00'], "--to 2025-03-01T25:00 isn't an ISO date"],
  [['--data', 'd', '--to', ''], "--to  isn't an ISO date"],
  [['--data', 'd', '--from', '2025-03-02', '--to', '2025-03-01'], '--to has to be later than --from'],
  [['--out', 'f.jsonl'], 'need --data DIR'],
  [['--from', '2025-03-01'], 'need --data DIR'],
  [['--dat', 'd'], "Unknown option '--dat'"],
  [['d'], 'usage: npm run bench -- forecast [--models DIR]'],
])('refuses %j', (args, message) => {
  expect(() => forecastBenchOptions(args)).toThrow(BadInput);
  expect(() => forecastBenchOptions(args)).toThrow(message);
});
