import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aggregateCandles } from '#domain/market/bars.ts';
import type { Candle } from '#domain/market/candle.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';
import { LiveBars, type NewestBars } from './live-bars.ts';

const T = 1_762_959_600;

const minute = (n: number, close = 100 + n): Candle => ({
  time: T + n * 60,
  open: 100,
  high: Math.max(100, close),
  low: Math.min(100, close),
  close,
  volume: 1,
});
const minutes = (from: number, to: number): Candle[] => Array.from({ length: to - from }, (_, i) => minute(from + i));
const newest = (closed: number | null, forming: number | null): NewestBars => ({
  closed: closed === null ? null : minute(closed),
  forming: forming === null ? null : minute(forming),
});
/** The numbers of the minutes at which the bars open. */
const opens = (candles: readonly Candle[]) => candles.map(({ time }) => (time - T) / 60);

test('rolls when a minute closes, and shows the next one as it forms', () => {
  const bars = new LiveBars('1min', minutes(0, 3));

  expect(bars.take(newest(2, 3))).toBe('moved');
  expect(bars.forming).toEqual(minute(3));
  expect(bars.take(newest(2, 3))).toBe('none');
  expect(bars.take({ ...newest(2, null), forming: minute(3, 7) })).toBe('moved');
  expect(bars.take(newest(3, 4))).toBe('closed');

  expect([opens(bars.closed), bars.forming]).toEqual([[0, 1, 2, 3], minute(4)]);
});

test('draws nothing twice: a minute that arrives again or late changes nothing, a corrected one replaces its own', () => {
  const bars = new LiveBars('1min', minutes(0, 3));
  expect([bars.take(newest(2, null)), bars.take(newest(1, 2)), bars.take(newest(0, 1))]).toEqual([
    'none',
    'none',
    'none',
  ]);

  expect(bars.take({ closed: minute(2, 50), forming: null })).toBe('closed');
  expect([opens(bars.closed), bars.closed.at(-1)?.close]).toEqual([[0, 1, 2], 50]);
});

test('waits for the history after a gap, and fills it', () => {
  const bars = new LiveBars('1min', minutes(0, 3));
  expect(bars.take(newest(5, 6))).toBe('gap');
  expect([opens(bars.closed), bars.forming]).toEqual([[0, 1, 2], null]);

  expect(bars.merge(minutes(1, 6), minutes(1, 6), newest(5, 6))).toBe(true);
  expect(bars.take(newest(5, 6))).toBe('moved');
  expect([opens(bars.closed), bars.forming]).toEqual([[0, 1, 2, 3, 4, 5], minute(6)]);
});

test('ignores a history that is older than its candles', () => {
  const bars = new LiveBars('1min', minutes(0, 5));
  expect(bars.merge(minutes(0, 3), minutes(0, 3), null)).toBe(false);
  expect(opens(bars.closed)).toEqual([0, 1, 2, 3, 4]);
});

test('believes that a minute without a trade does not exist once two histories lack it', () => {
  const bars = new LiveBars('1min', minutes(0, 3));
  expect(bars.take(newest(2, 5))).toBe('gap');
  bars.merge(minutes(0, 3), minutes(0, 3), newest(2, 5));
  expect(bars.take(newest(2, 5))).toBe('gap');
  bars.merge(minutes(0, 3), minutes(0, 3), newest(2, 5));

  expect(bars.take(newest(2, 5))).toBe('moved');
  expect(bars.take(newest(5, 6))).toBe('closed');
  expect(opens(bars.closed)).toEqual([0, 1, 2, 5]);
});

test('adds minutes up to longer bars, once it knows those of the bar that forms', () => {
  const bars = new LiveBars('5min', aggregateCandles(minutes(0, 10), '5min'));
  expect(bars.take(newest(11, 12))).toBe('gap');
  bars.merge(aggregateCandles(minutes(0, 10), '5min'), minutes(0, 12), newest(11, 12));

  expect(bars.take(newest(11, 12))).toBe('moved');
  expect(bars.forming).toMatchObject({ time: T + 600, open: 100, close: 112 });
  expect([bars.take(newest(12, 13)), bars.take(newest(13, 14)), bars.take(newest(14, 15))]).toEqual([
    'moved',
    'moved',
    'closed',
  ]);
  expect(bars.closed).toEqual(aggregateCandles(minutes(0, 15), '5min'));
});

test.each<[Timeframe, number]>([
  ['1min', 1],
  ['5min', 5],
  ['15min', 15],
])('has exactly the bars of %s that have closed, whatever is lost, repeated or late on the way', (timeframe, count) => {
  const first = 2 * count;
  const step = fc.record({ skip: fc.integer({ min: 0, max: 4 }), isTwice: fc.boolean(), isLate: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
      const bars = new LiveBars(timeframe, aggregateCandles(minutes(0, first), timeframe));
      let now = first;
      for (const { skip, isTwice, isLate } of steps) {
        now += 1 + skip;
        for (const event of [
          newest(now - 1, now),
          ...(isTwice ? [newest(now - 1, now)] : []),
          ...(isLate ? [newest(now - 3, now - 2)] : []),
        ])
          if (bars.take(event) === 'gap') {
            const known = minutes(0, now);
            bars.merge(aggregateCandles(known, timeframe), known, event);
            bars.take(event);
          }
        expect(bars.closed).toEqual(aggregateCandles(minutes(0, now), timeframe));
        const since = minutes(Math.floor(now / count) * count, now + 1);
        expect(bars.forming).toMatchObject({ time: since[0]?.time, close: minute(now).close });
      }
    }),
  );
});
