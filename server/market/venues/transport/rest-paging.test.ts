import { expect, test } from 'vitest';
import type { Candle } from '#domain/market/candle.ts';
import type { CandleRows } from '#domain/market/codecs/candle-rows.ts';
import { createLogger } from '../../../platform/telemetry/log.ts';
import { collectCandles, malformedCounter } from './rest-paging.ts';

const NOW_S = 1_700_000_040;
const candle = (minutesAgo: number): Candle => ({
  time: NOW_S - minutesAgo * 60,
  open: 1,
  high: 1,
  low: 1,
  close: 1,
  volume: 1,
});

/** A venue that has the last `known` minutes and answers in pages; `spoil` changes each answer. */
function setUp(known: number, corrupt: (answer: CandleRows) => CandleRows = (answer) => answer) {
  const requested: (number | null)[] = [];
  const malformed = malformedCounter('test', createLogger('silent'));
  const collect = (count: number) =>
    collectCandles({
      count,
      maxRows: 10,
      asOfMs: NOW_S * 1000 + 20_000,
      barS: 60,
      malformed,
      async page(limit, beforeMs) {
        requested.push(beforeMs);
        const newest = beforeMs === null ? 0 : (NOW_S * 1000 - beforeMs) / 60_000 + 1;
        const back = Array.from({ length: Math.max(0, Math.min(limit, known - newest)) }, (_, i) => newest + i);
        const seen = back.reverse().map((ago) => ({ candle: candle(ago), isClosed: ago > 0 }));
        return corrupt({ seen, rows: seen.length, malformed: 0 });
      },
    });
  return { requested, collect, malformed };
}

const minutesAgo = (candles: readonly Candle[]): number[] => candles.map((c) => (NOW_S - c.time) / 60);

test('requests page by page until it has enough closed candles', async () => {
  const { requested, collect } = setUp(1000);

  expect(minutesAgo(await collect(25))).toEqual(Array.from({ length: 25 }, (_, i) => 25 - i));
  expect(requested).toHaveLength(3);
});

test('returns fewer candles if the venue has fewer, without further requests', async () => {
  const { requested, collect } = setUp(14);

  expect(await collect(100)).toHaveLength(13);
  expect(requested).toHaveLength(2);
});

test('ignores the closed flag of a row whose minute is not over', async () => {
  const { collect } = setUp(50, (answer) => ({
    ...answer,
    seen: [...answer.seen, { candle: candle(-1), isClosed: true }].map((seen) => ({ ...seen, isClosed: true })),
  }));

  expect(minutesAgo(await collect(5))).toEqual([5, 4, 3, 2, 1]);
});

test('stops after one more request when a venue repeats the same page', async () => {
  const same = [3, 2, 1].map((ago) => ({ candle: candle(ago), isClosed: true }));
  const { requested, collect } = setUp(50, (answer) => ({ ...answer, seen: same, rows: 10 }));

  expect(await collect(30)).toHaveLength(3);
  expect(requested).toHaveLength(2);
});

test('counts malformed rows, and fails when there are no others', async () => {
  const some = setUp(50, (answer) => ({ ...answer, seen: answer.seen.slice(2), malformed: 2 }));
  const all = setUp(50, (answer) => ({ ...answer, seen: [], malformed: answer.rows }));

  expect(await some.collect(5)).not.toHaveLength(0);
  expect(some.malformed.count).toBeGreaterThanOrEqual(2);
  await expect(all.collect(5)).rejects.toMatchObject({ code: 'venue/unavailable' });
  expect(all.requested).toHaveLength(1);
});

test('returns no candles from a venue that has none', async () => {
  expect(await setUp(0).collect(5)).toEqual([]);
});
