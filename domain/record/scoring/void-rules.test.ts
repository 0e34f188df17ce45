import { expect, test } from 'vitest';
import type { Candle } from '../../market/candle.ts';
import { type JudgedForecast, judgeRecord, type RecordMarket, type RecordSeries } from './void-rules.ts';

const SLOT = Date.parse('2025-11-12T15:00:00Z') / 1000;
const RECORD = { slot: SLOT, close: '99.9' };
const PATIENCE = { repairS: 3600, returnS: 86_400 };
const DAY = 86_400;

/** @param from,to  minutes after the slot, both included; the candle before the slot is minute -1 */
function candles(from: number, to: number, price = 100): Candle[] {
  return Array.from({ length: to - from + 1 }, (_, i) => {
    const minute = from + i;
    const close = price + minute / 10;
    return { time: SLOT + 60 * minute, open: close, high: close + 1, low: close - 1, close };
  });
}
const venue = (venueId: string, own: Candle[]): RecordSeries => ({ venueId, candles: own });
const servedBy = (series: RecordSeries | undefined) =>
  series === undefined ? null : { venueId: series.venueId, fromS: series.candles[0]?.time ?? 0 };
type Overrides = Partial<RecordMarket> & Partial<Pick<JudgedForecast, 'venueId'>>;
const judge = (series: RecordSeries[], { venueId = null, ...change }: Overrides = {}) =>
  judgeRecord(
    { ...RECORD, venueId },
    { series, serving: servedBy(series[0]), isAll: true, mayReturn: true, ageS: 10, ...change },
    PATIENCE,
  );
const without = (minute: number) => candles(-100, 80).filter(({ time }) => time !== SLOT + 60 * minute);
/** Waited for until then, void from then on. */
const expectVoidAt = (waitS: number, reason: string, series: RecordSeries[], change: Overrides = {}) => {
  if (waitS > 0) expect(judge(series, { ...change, ageS: waitS - 1 })).toEqual({ state: 'later' });
  expect(judge(series, { ...change, ageS: waitS })).toEqual({ state: 'void', reason });
};

test('takes the 50 candles after a close that the record names as its outcome', () => {
  expect(judge([venue('one', candles(-100, 80))])).toEqual({ state: 'known', outcome: candles(0, 49) });
});

test('decides nothing before its last minute has closed', () => {
  expect(judge([venue('one', candles(-100, 80))], { ageS: -1 })).toEqual({ state: 'later' });
});

test.each([
  ['first', 0],
  ['one in the middle', 25],
  ['last', 49],
])('waits for a gap at its %s minute while it may be repaired, then voids', (_what, minute) => {
  expectVoidAt(3600, 'candles-missing', [venue('one', without(minute))]);
});

test('waits longer for a venue that has fallen behind than for a gap', () => {
  expectVoidAt(DAY, 'candles-missing', [venue('one', candles(-100, 30))]);
});

test('takes no other venue’s candles, and waits a day for its own', () => {
  const other = venue('other', candles(-100, 80, 100.5));

  expectVoidAt(DAY, 'venue-changed', [other]);
  expect(judge([other, venue('one', candles(-100, 80))])).toEqual({ state: 'known', outcome: candles(0, 49) });
});

test('makes no outcome of two venues that have half of it each', () => {
  const halves = [venue('other', candles(20, 80, 100.5)), venue('one', candles(-100, 19))];

  expectVoidAt(DAY, 'venue-changed', halves);
  expectVoidAt(DAY, 'venue-changed', halves.toReversed());
});

test('prefers the serving one of two venues with the same close, whatever their order', () => {
  const [a, b] = [venue('a', candles(-100, 80)), venue('b', [...candles(-100, -1), ...candles(0, 80, 101)])];

  for (const series of [
    [a, b],
    [b, a],
  ]) {
    expect(judge(series, { serving: servedBy(b) })).toEqual({ state: 'known', outcome: candles(0, 49, 101) });
    expect(judge(series, { serving: null })).toEqual({ state: 'known', outcome: candles(0, 49) });
  }
});

test('judges a forecast with a known venue by that one alone', () => {
  const [a, b] = [venue('a', candles(-100, 80)), venue('b', [...candles(-100, -1), ...candles(0, 80, 101)])];

  expect(judge([a, b], { venueId: 'b', serving: servedBy(a) })).toEqual({
    state: 'known',
    outcome: candles(0, 49, 101),
  });
  expectVoidAt(DAY, 'venue-changed', [a], { venueId: 'b' });
  expectVoidAt(3600, 'candles-missing', [venue('a', without(7)), venue('b', [])], { venueId: 'a' });
  // A venue that has corrected its close since is not the one that the model saw.
  expectVoidAt(DAY, 'venue-changed', [venue('a', candles(-100, 80, 100.5))], { venueId: 'a' });
});

test('voids a replay that now has other prices', () => {
  expectVoidAt(0, 'venue-changed', [venue('sandbox', candles(-100, 80, 50))], { mayReturn: false });
});

test('voids candles older than all that the venue still has', () => {
  const late = [venue('one', candles(60, 900))];

  expectVoidAt(DAY, 'candles-gone', late);
  expectVoidAt(0, 'candles-gone', late, { mayReturn: false });
});

test('voids minutes that no server read while it was down', () => {
  expectVoidAt(DAY, 'candles-gone', [venue('one', candles(30, 900)), venue('other', candles(-100, 10))]);
  const stored = venue('one', [...candles(-100, 10), ...candles(30, 900)]);
  expectVoidAt(DAY, 'candles-gone', [stored], { serving: { venueId: 'one', fromS: SLOT + 30 * 60 } });
});

test('decides nothing for a day while no venue answers', () => {
  expectVoidAt(DAY, 'candles-gone', [], { mayReturn: false });
  expectVoidAt(DAY, 'candles-gone', [venue('one', candles(-100, 30))], { serving: null });
});

test('voids nothing before everything was searched', () => {
  expect(judge([venue('one', without(7))], { isAll: false, ageS: 30 * DAY })).toEqual({ state: 'later' });
});
