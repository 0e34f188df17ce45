import { expect, test } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import type { HistorySlice } from './candles/candle-history.ts';
import { marketReadiness } from './market-readiness.ts';

const CANDLE = { time: 60, open: 1, high: 1, low: 1, close: 1 };
const SLICE: HistorySlice = {
  candles: [CANDLE],
  marketKind: 'live',
  venueId: 'a',
  attribution: 'A',
  delayS: 0,
  asOfS: 60,
  isStale: false,
  isOpen: true,
  nowMs: 0,
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

test('is ready with fresh candles, but not with old ones, none, or an unavailable venue', async () => {
  const { market, isReady } = setUp();
  expect(await isReady()).toBe(true);

  for (const answer of [() => ({ ...SLICE, isStale: true }), () => ({ ...SLICE, candles: [] }), away]) {
    market.answer = answer;
    expect(await isReady()).toBe(false);
  }
});

test('counts a feed fault for one minute, and again after each recovery', async () => {
  const { market, isReady } = setUp();
  await isReady();
  market.answer = away;
  expect(await isReady()).toBe(false);
  market.nowMs = 59_000;
  expect(await isReady()).toBe(false);
  market.nowMs = 60_000;
  expect(await isReady()).toBe('degraded');

  market.answer = () => SLICE;
  await isReady();
  await new Promise((resolve) => setTimeout(resolve, 0));
  market.answer = away;

  expect(await isReady()).toBe(false);
});

test('becomes ready after a minute, degraded, even if it has never had candles', async () => {
  const { market, isReady } = setUp();
  market.answer = away;
  expect(await isReady()).toBe(false);
  market.nowMs = 61_000;

  expect(await isReady()).toBe('degraded');
});
