import { expect, test } from 'vitest';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { longRange } from './long-range.ts';
import type { ListedSymbol } from './market-sources.ts';
import { candleSeenAt } from './market-time.ts';
import { simulatedSource } from './simulation.ts';
import { ticksOf } from './ticks.ts';

const BTC = symbolNamed('BTC');
const NOW_MS = Date.parse('2025-11-12T15:00:20Z');
const DAY_S = 86_400;

function btc(): ListedSymbol {
  const source = simulatedSource(BTC, 'long');
  return { symbol: BTC, productId: 'BTCUSDT', source, ticks: ticksOf(BTC, source, 'long') };
}

test.each([
  ['minutes', 60, 300],
  ['hours', 3600, 300],
  ['days', DAY_S, 720],
  ['weeks', 7 * DAY_S, 720],
])('bars of %s lie on the grid, in order, without a gap, each well formed', (_what, seconds, count) => {
  const bars = longRange(btc(), 'long').bars(seconds, count, NOW_MS);

  expect(bars).toHaveLength(count);
  for (const [i, bar] of bars.entries()) {
    expect(bar.time).toBe(Math.floor(NOW_MS / 1000 / seconds) * seconds - (count - 1 - i) * seconds);
    expect(bar.low).toBeGreaterThan(0);
    expect(bar.low).toBeLessThanOrEqual(Math.min(bar.open, bar.close));
    expect(bar.high).toBeGreaterThanOrEqual(Math.max(bar.open, bar.close));
  }
});

test('the newest bar of every length closes where the running candle stands', () => {
  const listed = btc();
  const range = longRange(listed, 'long');
  const close = candleSeenAt(listed, Math.floor(NOW_MS / 60_000) * 60, NOW_MS)?.close;

  const closes = [60, 300, 3600, 21_600, DAY_S, 7 * DAY_S].map((s) => range.bars(s, 3, NOW_MS).at(-1)?.close);

  expect(closes).toEqual(closes.map(() => close));
});

test('where slow bars end and minutes begin, the price goes on', () => {
  const bars = longRange(btc(), 'long').bars(DAY_S, 20, NOW_MS);

  for (const [i, bar] of bars.slice(1).entries()) {
    const before = bars[i]?.close ?? 0;
    expect(Math.abs(bar.open - before)).toBeLessThanOrEqual(2 * BTC.tickSize);
  }
});

test('another start gives the same bars', () => {
  expect(longRange(btc(), 'long').bars(DAY_S, 100, NOW_MS)).toEqual(longRange(btc(), 'long').bars(DAY_S, 100, NOW_MS));
});
