import { expect, test } from 'vitest';
import type { Candle } from '../market/candle.ts';
import { forecastPlot, type PlotSize } from './forecast-plot.ts';
import type { ForecastContent, ForecastSubject } from './forecast-view.ts';

const SIZE: PlotSize = {
  width: 640,
  height: 320,
  axisWidth: 40,
  axisHeight: 20,
  historyBars: 50,
  prices: 4,
  times: 5,
};
const JOIN_S = Date.UTC(2026, 10, 27) / 1000;
const SUBJECT: ForecastSubject = {
  id: null,
  origin: 'house',
  label: 'BTC',
  model: 'bobcat',
  timeframe: '15min',
  market: 'live',
  decimals: 1,
  joinS: JOIN_S,
  issuedMs: JOIN_S * 1000,
  seal: null,
};
const EMPTY: ForecastContent = {
  lastClose: 100,
  history: [],
  path: [],
  bandBars: [],
  outcome: [],
  band: { lower80: [], upper80: [], lower95: [], upper95: [] },
};

const candle = (time: number, price: number): Candle => ({ time, open: price, high: price, low: price, close: price });

test('draws no band and no outcome where a forecast has none', () => {
  expect(forecastPlot(SUBJECT, EMPTY, SIZE)).toMatchObject({
    band80: '',
    band95: '',
    outcome: '',
    passed: '',
    outcomeEnd: null,
  });
});

test.each([100, 0.00001234, 0])(
  'gives a market that stays at %d a height, with its price in the middle',
  (lastClose) => {
    const outcome = [1, 2, 3].map((bar) => ({ bar, close: lastClose }));
    const plot = forecastPlot(SUBJECT, { ...EMPTY, lastClose, outcome }, SIZE);

    expect(plot.outcomeEnd?.y).toBeCloseTo(plot.innerHeight / 2, 6);
  },
);

test('leaves almost no room before a forecast whose history is no longer stored', () => {
  const history = Array.from({ length: 150 }, (_, i) => candle(JOIN_S - (149 - i) * 900, 100 + (i % 3)));

  expect(forecastPlot(SUBJECT, EMPTY, SIZE).joinX).toBeCloseTo((600 * 4) / 54, 6);
  expect(forecastPlot(SUBJECT, { ...EMPTY, history }, SIZE).joinX).toBeCloseTo(300, 6);
});

test('names whole days at most, however long the time is', () => {
  const history = Array.from({ length: 600 }, (_, i) => candle(JOIN_S - (599 - i) * 900, 100));
  const { times } = forecastPlot(SUBJECT, { ...EMPTY, history }, { ...SIZE, historyBars: 600, times: 2 });

  expect(times.length).toBeGreaterThan(2);
  expect(new Set(times.map(({ text }) => text))).toEqual(new Set(['00:00']));
});

test('draws a line in place of the candles that have passed', () => {
  const path = Array.from({ length: 50 }, (_, i) => ({ time: 60 * i, open: 100, high: 101, low: 99, close: 100 }));
  const content = { ...EMPTY, path, outcome: [1, 2].map((bar) => ({ bar, close: 100 })) };
  const plot = forecastPlot(SUBJECT, content, SIZE);
  const whole = forecastPlot(SUBJECT, { ...content, outcome: [] }, SIZE);

  const bodiesOf = ({ path: { upBodies } }: typeof plot) => upBodies.split('M').length - 1;
  expect([bodiesOf(whole), bodiesOf(plot)]).toEqual([50, 48]);
  expect(whole.path.upBodies.endsWith(plot.path.upBodies)).toBe(true);
  expect(plot.passed.split('L')).toHaveLength(3);
  expect(whole.passed).toBe('');
});

test('marks a release before its bar, one at the last close where the forecast begins, and none outside it', () => {
  const release = (inS: number, name: string) => ({ atS: JOIN_S + 900 + inS, kind: 'jobs', title: name, name });
  const list = [release(-1, 'a'), release(0, 'b'), release(899, 'c'), release(49 * 900, 'd'), release(50 * 900, 'e')];
  const plot = forecastPlot(SUBJECT, { ...EMPTY, releases: { list, factor: 2, isComplete: true } }, SIZE);

  expect(plot.releases).toEqual([
    { at: plot.joinX, text: 'b, c' },
    { at: plot.joinX + 49 * plot.step, text: 'd' },
  ]);
  expect(forecastPlot(SUBJECT, EMPTY, SIZE).releases).toEqual([]);
});
