import { expect, test } from 'vitest';
import { barSecondsOf, TIMEFRAMES } from '#domain/market/timeframes.ts';
import type { ChartSeries } from '../../../charts/candles/candle-feed.ts';
import { aMarket, aStart, candlesUntil, forecastPath, T0 } from '../testing/forecast-fixtures.ts';
import { type ChartForecast, exportedView } from './exported-view.ts';

function aForecast(series: Partial<ChartSeries> = {}, change: Partial<ChartForecast> = {}): ChartForecast {
  const { timeframe } = change.timeframe === undefined ? aMarket() : change;
  const barS = barSecondsOf(timeframe ?? '1min');
  return {
    ...aMarket('BTC', timeframe),
    shown: aStart(),
    marketKind: 'simulated',
    origin: 'unsaved',
    id: null,
    series: {
      candles: [...candlesUntil(T0, 150, barS), ...forecastPath(T0, 50, barS)],
      joinS: T0,
      band: aStart().band,
      ...series,
    },
    ...change,
  };
}

const viewOf = (forecast: ChartForecast, minutesLater = 5) => exportedView(forecast, (T0 + minutesLater * 60) * 1000);

test.each(TIMEFRAMES)('has the candles and bands of the chart at %s, and nothing else', (timeframe) => {
  const barS = barSecondsOf(timeframe);
  const forecast = aForecast({}, { timeframe });
  const view = viewOf(forecast);

  expect([...(view?.content?.history ?? []), ...(view?.content?.path ?? [])]).toEqual(forecast.series.candles);
  expect(view?.content?.band).toEqual(forecast.series.band);
  expect(view?.content?.bandBars).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  expect(view).toMatchObject({ timeframe, joinS: T0, model: 'bobcat', market: 'simulated', state: 'running' });
  const outcome = forecastPath(T0, 3, barS);
  expect(viewOf({ ...forecast, series: { ...forecast.series, outcome } })?.content?.outcome).toEqual([
    { bar: 1, close: 101 },
    { bar: 2, close: 101 },
    { bar: 3, close: 101 },
  ]);
});

test('does not export the candle that has not closed yet', () => {
  const [first, forming] = forecastPath(T0, 2);
  const view = viewOf(aForecast({ outcome: first === undefined ? [] : [first], forming: forming ?? null }));

  expect(view?.content?.outcome).toHaveLength(1);
});

test('runs until its last candle closes, then waits for its outcome, and at last says that none is known', () => {
  const forecast = aForecast();
  const stateAt = (minutesLater: number) => viewOf(forecast, minutesLater)?.state;

  expect(stateAt(50)).toBe('running');
  expect(stateAt(51)).toBe('waiting');
  expect(stateAt(51 + 60)).toBe('void');
  expect(viewOf({ ...forecast, series: { ...forecast.series, outcome: forecastPath() } }, 51)?.state).toBe('known');
});

test('does not compare a replayed market with the clock', () => {
  expect(viewOf(aForecast({}, { marketKind: 'replayed' }), 10_000)?.state).toBe('running');
});

test('has no view without a candle of a forecast', () => {
  const history = candlesUntil(T0, 150);

  expect(viewOf(aForecast({ candles: history, joinS: null, band: null }))).toBeNull();
  expect(viewOf(aForecast({ candles: history }))).toBeNull();
  expect(viewOf(aForecast({ candles: [] }))).toBeNull();
});

test('marks an amplified forecast', () => {
  expect(viewOf(aForecast({ ampPercent: 300 }))).toHaveProperty('ampPercent', 300);
  expect(viewOf(aForecast({ ampPercent: 100 }))).not.toHaveProperty('ampPercent');
});
