import { expect, test } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import type { HistorySlice } from './candles/candle-history.ts';
import { marketReadiness } from './market-readiness.ts';

const CANDLE = { time: 60, open: 1, high: 1, low: 1, close: 1 };
const SLICE: HistorySlice = {
  ...{ candles: [CANDLE], marketKind: 'live', venueId: 'a', attribution: 'A', delayS: 0, asOfS: 60, isStale: false },
  ...{ isOpen: true, nowMs: 0 },
};

function setUp() {
  const market = { answer: (): HistorySlice => SLICE, nowMs: 0 };
  const history = { latest: async () => market.answer() };
  const isReady = marketReadiness(history, new AbortController().signal, () => market.nowMs);
  return { market, isReady };
}

const away = (): never => {
  throw new AppError('venue/unavailable');
};

test('ready with fresh candles, and not with old ones, none, or a venue that is away', async () => {
  const { market, isReady } = setUp();
  expect(await isReady()).toBe(true);

  for (const answer of [() => ({ ...SLICE, isStale: true }), () => ({ ...SLICE, candles: [] }), away]) {
    market.answer = answer;
    expect(await isReady()).toBe(false);
  }
});

test('a fault of the feeds counts for a minute, each time anew', async () => {
  const { market, isReady } = setUp();
  await isReady();
  market.answer = away;
  expect(await isReady()).toBe(false);
  market.nowMs = 59_000;
  expect(await isReady()).toBe(false);
  market.nowMs = 60_000;
  expect(await isReady()).toBe(true);

  market.answer = () => SLICE;
  await isReady();
  await new Promise((resolve) => setTimeout(resolve, 0));
  market.answer = away;

  expect(await isReady()).toBe(false);
});

test('a process that has never had candles is sent visitors after a minute all the same', async () => {
  const { market, isReady } = setUp();
  market.answer = away;
  expect(await isReady()).toBe(false);
  market.nowMs = 61_000;

  expect(await isReady()).toBe(true);
});
