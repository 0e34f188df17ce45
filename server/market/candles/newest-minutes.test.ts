import { expect, test } from 'vitest';
import type { Candle } from '#domain/market/candle.ts';
import { NewestMinutes } from './newest-minutes.ts';

const T = 1_762_959_600;

const candle = (minute: number, close = 100): Candle => ({
  time: T + minute * 60,
  open: 100,
  high: Math.max(100, close),
  low: Math.min(100, close),
  close,
  volume: 1,
});

const closed = (minute: number, close?: number) => ({ candle: candle(minute, close), isClosed: true });
const forming = (minute: number, close?: number) => ({ candle: candle(minute, close), isClosed: false });

function minutesOf(...updates: ReturnType<typeof closed>[]): NewestMinutes {
  const minutes = new NewestMinutes('BTCUSDT.P');
  for (const update of updates) minutes.takeUpdate(update);
  return minutes;
}

/** The minutes of the closed and the forming candle, and the latter's close. */
const shown = ({ event }: NewestMinutes) =>
  event && [event.closed, event.forming].map((one) => one && [(one.time - T) / 60, one.close]);

test('has the last closed minute and the one that forms, and a new object for each change alone', () => {
  const minutes = minutesOf(closed(0), forming(1, 101));
  expect(shown(minutes)).toEqual([
    [0, 100],
    [1, 101],
  ]);
  const first = minutes.event;

  minutes.takeUpdate(forming(1, 101));
  minutes.takeHistory(candle(0), true);
  expect(minutes.event).toBe(first);

  minutes.takeUpdate(forming(1, 102));
  expect(shown(minutes)).toEqual([
    [0, 100],
    [1, 102],
  ]);
});

test('shows nothing that forms from the turn of the minute until its first trade', () => {
  const minutes = minutesOf(closed(0), forming(1), closed(1));
  expect(shown(minutes)).toEqual([[1, 100], null]);
  expect(shown(minutesOf(closed(1), forming(1, 5)))).toEqual([[1, 100], null]);
});

test('ignores minutes that arrive late or twice, and takes a corrected one', () => {
  const minutes = minutesOf(closed(5), forming(6, 106), closed(3), forming(4, 1), closed(5));
  expect(shown(minutes)).toEqual([
    [5, 100],
    [6, 106],
  ]);
  minutes.takeHistory(candle(5, 99), true);
  expect(shown(minutes)?.[0]).toEqual([5, 99]);
});

test('takes over a closed minute that only the history has', () => {
  const minutes = minutesOf(forming(6));
  minutes.takeHistory(candle(5), true);
  expect(shown(minutes)).toEqual([
    [5, 100],
    [6, 100],
  ]);
});

test('shows nothing that forms in a closed market', () => {
  const minutes = minutesOf(closed(0), forming(1));
  minutes.takeHistory(candle(0), false);
  expect(shown(minutes)).toEqual([[0, 100], null]);
});

test('begins again when the market’s clock was set back', () => {
  const minutes = minutesOf(closed(100), forming(101));
  minutes.takeHistory(candle(10), true);
  expect(shown(minutes)).toEqual([[10, 100], null]);
});
