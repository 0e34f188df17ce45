import { expect, test } from 'vitest';
import { aggregateCandles } from '#domain/market/bars.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { barSecondsOf, type Timeframe } from '#domain/market/timeframes.ts';
import type { ListedSymbol } from '../market-sources.ts';
import { simulatedSource } from '../simulation/simulation.ts';
import { ticksOf } from '../simulation/ticks.ts';
import { candlesBack, candlesForward } from './candle-scan.ts';

/** Wednesday 12 November 2025, 15:07:20 UTC: in the middle of a bar of 5 and of 15 minutes. */
const NOW_MS = Date.parse('2025-11-12T15:07:20Z');
const LONGER = ['5min', '15min'] as const;

/** A simulated market without some of its minutes. */
function listedWithout(...missing: number[]): ListedSymbol {
  const symbol = symbolNamed('BTC');
  const whole = simulatedSource(symbol, 'scan');
  const source = {
    ...whole,
    candleAt: (timeS: number) => (missing.includes(timeS) ? null : whole.candleAt(timeS)),
  };
  return { symbol, productId: 'BTCUSDT', source, ticks: ticksOf(symbol, source, 'scan') };
}

const closedOf = (listed: ListedSymbol, timeframe: Timeframe, limit: number) =>
  candlesBack(listed, { limit, timeframe }, NOW_MS)
    .filter(({ isClosed }) => isClosed)
    .map(({ candle }) => candle)
    .reverse();

test.each(LONGER)('has bars of %s that are exactly the sums of their minutes', (timeframe) => {
  const listed = listedWithout();
  const minutes = closedOf(listed, '1min', 1000);

  const summed = aggregateCandles(minutes, timeframe);

  expect(closedOf(listed, timeframe, summed.length + 1).slice(-summed.length)).toEqual(summed);
});

test.each(LONGER)('has an open bar of %s of the minutes so far', (timeframe) => {
  const [open] = candlesBack(listedWithout(), { limit: 1, timeframe }, NOW_MS);
  const minutes = candlesBack(listedWithout(), { limit: 15 }, NOW_MS).map(({ candle }) => candle);
  const own = minutes.filter(({ time }) => time >= (open?.candle.time ?? 0)).reverse();

  expect(open?.isClosed).toBe(false);
  expect(open?.candle).toMatchObject({ time: own[0]?.time, open: own[0]?.open, close: own.at(-1)?.close });
  expect(open?.candle.high).toBe(Math.max(...own.map(({ high }) => high)));
});

test('has no bar in which a minute is missing, in either direction', () => {
  const bar = Date.parse('2025-11-12T14:30:00Z') / 1000;
  const listed = listedWithout(bar + 420);
  const times = (timeframe: Timeframe) => closedOf(listed, timeframe, 12).map(({ time }) => time);

  expect(times('15min')).not.toContain(bar);
  expect(times('5min')).toContain(bar);
  expect(times('5min')).not.toContain(bar + 300);
  const stretch = { fromS: bar - 900, toS: bar + 900, limit: 3, timeframe: '15min' as const };
  expect(candlesForward(listed, stretch, NOW_MS).map(({ candle }) => candle.time)).toEqual([bar - 900, bar + 900]);
});

test('begins forward at a whole bar', () => {
  const fromS = Date.parse('2025-11-12T14:01:00Z') / 1000;

  const found = candlesForward(listedWithout(), { fromS, limit: 2, timeframe: '5min' }, NOW_MS);

  expect(found.map(({ candle }) => (candle.time - fromS) / 60)).toEqual([4, 9]);
  expect(found.every(({ candle }) => candle.time % barSecondsOf('5min') === 0)).toBe(true);
});
