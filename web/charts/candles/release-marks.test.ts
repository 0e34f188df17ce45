import { expect, test } from 'vitest';
import type { ForecastReleases } from '#domain/forecast/releases/forecast-releases.ts';
import { EMPTY_SERIES } from './candle-feed.ts';
import { releaseMarks } from './release-marks.ts';

const release = (atS: number, name: string) => ({ atS, kind: '', title: '', name });
const marksOf = (barS: number, ...list: ForecastReleases['list']) =>
  releaseMarks({ ...EMPTY_SERIES, joinS: 3600, releases: { list, factor: 2, isComplete: true } }, barS);

test('marks a release before the bar in which it falls, and two of one bar together', () => {
  expect(marksOf(60, release(3720, 'US CPI'), release(3720, 'US claims'), release(3900, 'US claims'))).toEqual([
    { beforeS: 3660, afterS: 3720, label: 'US CPI, US claims' },
    { beforeS: 3840, afterS: 3900, label: 'US claims' },
  ]);
  expect(marksOf(300, release(4260, 'US CPI'))).toEqual([{ beforeS: 3900, afterS: 4200, label: 'US CPI' }]);
});

test('marks those of the usual range while no forecast is drawn, and nothing without either', () => {
  const candles = [{ time: 3600, open: 1, high: 1, low: 1, close: 1 }];
  const releases = { list: [release(3720, 'US CPI')], factor: 2, isComplete: true };
  const edges = Array.from({ length: 50 }, () => 1);
  const usual = {
    sym: 'BTC',
    timeframe: '1min' as const,
    baseline: 'har-0',
    lastClose: 1,
    t0: 3600,
    lower80: edges,
    upper80: edges,
    releases,
  };

  expect(releaseMarks({ ...EMPTY_SERIES, candles, usual }, 60)).toEqual([
    { beforeS: 3660, afterS: 3720, label: 'US CPI' },
  ]);
  expect(releaseMarks({ ...EMPTY_SERIES, candles, usual: { ...usual, t0: 3540 } }, 60)).toEqual([]);
  expect(releaseMarks(EMPTY_SERIES, 60)).toEqual([]);
});
