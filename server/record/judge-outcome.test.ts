import { expect, test } from 'vitest';
import type { Candle } from '#domain/market/candle.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import type { PastSeries } from '../market/candles/past-candles.ts';
import { judgeOutcome, type PastFound, type SavedForecast } from './judge-outcome.ts';

/** Wednesday 12 November 2025, 15:00 UTC: ten in the morning in New York. */
const JOIN_S = Date.parse('2025-11-12T15:00:00Z') / 1000;
const END_S = JOIN_S + 51 * 60;
const BTC = symbolNamed('BTC');

/** Makes candles of the minutes `from` to `to` around the join, both included. */
function candles(from: number, to: number, price = 100): Candle[] {
  return Array.from({ length: to - from + 1 }, (_, i) => {
    const minute = from + i;
    return { time: JOIN_S + 60 * minute, open: price, high: price + 2, low: price - 1, close: price + minute / 1000 };
  });
}

const saved = (change: Partial<SavedForecast> = {}): SavedForecast => ({
  symbol: BTC,
  marketKind: 'live',
  timeframe: '1min',
  tail: candles(-9, 0),
  path: candles(1, 50, 101),
  ...change,
});
const series = (own: readonly Candle[], marketKind: MarketKind = 'live'): PastSeries => ({
  marketKind,
  venueId: 'one',
  candles: own,
});
const past = (list: readonly PastSeries[], change: Partial<PastFound> = {}): PastFound => ({
  series: list,
  isAll: true,
  isServed: true,
  nowS: END_S + 5,
  ...change,
});
const without = (minute: number) => candles(-200, 80).filter(({ time }) => time !== JOIN_S + 60 * minute);

test('scores a forecast with fifty candles of the market that it was made on', () => {
  const verdict = judgeOutcome(saved(), past([series(candles(-200, 80))]));

  expect(verdict).toMatchObject({ state: 'known', candles: candles(1, 50) });
  expect(verdict.state === 'known' && verdict.score.path.atBarBp[50]).toBeCloseTo(1e4 * Math.log(101.05 / 100.05), 6);
});

test.each([
  ['a sandbox market’s forecast and live candles', 'simulated', 'live'],
  ['a live forecast and a sandbox market’s candles', 'live', 'simulated'],
  ['a replayed forecast and simulated candles', 'replayed', 'simulated'],
] as const)('never compares %s, even if they agree', (_what, predicted, served) => {
  const judge = (nowS: number) =>
    judgeOutcome(saved({ marketKind: predicted }), past([series(candles(-200, 80), served)], { nowS }));

  expect(judge(END_S + 5)).toEqual({ state: 'later' });
  expect(judge(END_S + 86_400)).toEqual({ state: 'void', reason: 'other-market' });
});

test('waits a day for the own venue’s candles instead of using another’s', () => {
  const other = series(candles(-200, 80, 100.5));
  const judge = (nowS: number) => judgeOutcome(saved(), past([other], { nowS }));

  expect(judge(END_S + 5)).toEqual({ state: 'later' });
  expect(judge(END_S + 86_400)).toEqual({ state: 'void', reason: 'other-market' });
  expect(judgeOutcome(saved(), past([other, series(candles(-200, 80))]))).toMatchObject({ candles: candles(1, 50) });
});

test('voids a replayed forecast immediately when the recording has moved', () => {
  const replayed = series(candles(-200, 80, 90), 'replayed');

  expect(judgeOutcome(saved({ marketKind: 'replayed' }), past([replayed]))).toEqual({
    state: 'void',
    reason: 'other-market',
  });
});

test('accepts a candle that the venue has corrected since', () => {
  const corrected = candles(-200, 80).map((candle) => (candle.time === JOIN_S ? { ...candle, high: 103 } : candle));

  expect(judgeOutcome(saved(), past([series(corrected)])).state).toBe('known');
});

test.each([
  ['its first minute', 1],
  ['one in the middle', 25],
  ['its last', 50],
])('waits an hour for %s, then voids the forecast', (_what, minute) => {
  const judge = (nowS: number) => judgeOutcome(saved(), past([series(without(minute))], { nowS }));

  expect(judge(END_S + 3599)).toEqual({ state: 'later' });
  expect(judge(END_S + 3600)).toEqual({ state: 'void', reason: 'candles-missing' });
});

test('waits longer for a venue that has fallen behind than for a gap', () => {
  const judge = (nowS: number) => judgeOutcome(saved(), past([series(candles(-200, 30))], { nowS }));

  expect(judge(END_S + 7200)).toEqual({ state: 'later' });
  expect(judge(END_S + 86_400)).toEqual({ state: 'void', reason: 'candles-missing' });
});

test('voids a forecast older than all stored candles once every store was searched', () => {
  const late = series(candles(20, 900));
  const nowS = END_S + 50_000;

  expect(judgeOutcome(saved(), past([late], { nowS, isAll: false }))).toEqual({ state: 'later' });
  expect(judgeOutcome(saved(), past([late], { nowS }))).toEqual({ state: 'void', reason: 'candles-gone' });
  expect(judgeOutcome(saved(), past([late, series(candles(-20, 60))], { nowS })).state).toBe('known');
});

test('does not void a forecast as another market’s when no common minute exists', () => {
  const gap = series([...candles(-200, -20), ...candles(60, 80)]);
  const before = series(candles(-200, -20));
  for (const found of [gap, before]) {
    const judge = (nowS: number) => judgeOutcome(saved(), past([found], { nowS }));
    expect(judge(END_S + 86_399)).toEqual({ state: 'later' });
    expect(judge(END_S + 86_400)).toEqual({ state: 'void', reason: 'candles-missing' });
  }
});

test('decides nothing for a day while no venue answers', () => {
  const judge = (list: PastSeries[], nowS: number) => judgeOutcome(saved(), past(list, { nowS, isServed: false }));

  expect(judge([], END_S + 3600)).toEqual({ state: 'later' });
  expect(judge([series(candles(40, 60))], END_S + 3600)).toEqual({ state: 'later' });
  expect(judge([], END_S + 86_400)).toEqual({ state: 'void', reason: 'candles-gone' });
});

test('decides nothing before the forecast’s end', () => {
  expect(judgeOutcome(saved(), past([series(candles(-200, 80))], { nowS: END_S - 1 }))).toEqual({ state: 'later' });
});

test('voids a share’s forecast that crosses the closing bell, and scores one that ends with it', () => {
  const MSFT = symbolNamed('MSFT');
  const at = (iso: string) => {
    const shift = Date.parse(iso) / 1000 - JOIN_S;
    const moved = (list: readonly Candle[]) => list.map((candle) => ({ ...candle, time: candle.time + shift }));
    const own = saved({ symbol: MSFT, tail: moved(candles(-9, 0)), path: moved(candles(1, 50, 101)) });
    return judgeOutcome(own, past([series(moved(candles(-200, 80)))], { nowS: END_S + shift + 5 }));
  };

  expect(at('2025-11-12T20:10:00Z')).toEqual({ state: 'void', reason: 'market-closed' });
  expect(at('2025-11-12T20:09:00Z').state).toBe('known');
});
