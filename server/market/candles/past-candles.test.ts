import { expect, test, vi } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import { DEFAULT_SYMBOL } from '#domain/market/symbols.ts';
import type { CandleHistory, HistorySlice } from './candle-history.ts';
import { candlePast } from './past-candles.ts';

const CANDLE = { time: 60, open: 1, high: 2, low: 1, close: 2 };
const never = new AbortController().signal;
const historyOf = (latest: CandleHistory['latest']): CandleHistory => ({ latest, close: async () => undefined });
const slice = { candles: [CANDLE], marketKind: 'replayed', venueId: 'sandbox' } as unknown as HistorySlice;

test('returns the serving venue’s recent candles, as far back as one call goes', async () => {
  const latest = vi.fn<CandleHistory['latest']>(async () => slice);
  const past = candlePast({ history: historyOf(latest), store: null });

  expect(await past.recent(DEFAULT_SYMBOL, never)).toEqual({
    marketKind: 'replayed',
    venueId: 'sandbox',
    candles: [CANDLE],
  });
  expect(latest.mock.calls[0]?.[1]).toBe(1499);
});

test('returns null for an unavailable venue, and passes on bugs and aborts', async () => {
  const past = (error: unknown) =>
    candlePast({ history: historyOf(() => Promise.reject(error)), store: null }).recent(DEFAULT_SYMBOL, never);

  expect(await past(new AppError('venue/unavailable'))).toBeNull();
  await expect(past(new TypeError('ours'))).rejects.toThrow('ours');
  const stopped = candlePast({
    history: historyOf(() => Promise.reject(new AppError('venue/unavailable'))),
    store: null,
  });
  await expect(stopped.recent(DEFAULT_SYMBOL, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
});

test('returns null after 10 s for a venue that never answers', async () => {
  vi.useFakeTimers();
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const late = new AbortController();
    setTimeout(() => late.abort(new DOMException('late', 'TimeoutError')), ms);
    return late.signal;
  });
  const hung: CandleHistory['latest'] = (_symbol, _count, signal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

  const pending = candlePast({ history: historyOf(hung), store: null }).recent(DEFAULT_SYMBOL, never);
  await vi.advanceTimersByTimeAsync(10_000);

  expect(await pending).toBeNull();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('returns stored live candles, one series per venue, and none without a store', async () => {
  const store = {
    readVenues: async () =>
      new Map([
        ['binance', [CANDLE]],
        ['bybit', [CANDLE]],
      ]),
  };
  const history = historyOf(async () => slice);

  expect(await candlePast({ history, store }).stored(DEFAULT_SYMBOL, 0, 120)).toEqual([
    { marketKind: 'live', venueId: 'binance', candles: [CANDLE] },
    { marketKind: 'live', venueId: 'bybit', candles: [CANDLE] },
  ]);
  expect(await candlePast({ history, store: null }).stored(DEFAULT_SYMBOL, 0, 120)).toEqual([]);
});
