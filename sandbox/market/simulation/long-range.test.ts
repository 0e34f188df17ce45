import { expect, test } from 'vitest';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import type { ListedSymbol } from '../market-sources.ts';
import { longRange } from './long-range.ts';
import { simulatedSource } from './simulation.ts';
import { ticksOf } from './ticks.ts';

const BTC = symbolNamed('BTC');
const NOW_MS = Date.parse('2025-11-12T15:00:20Z');
const DAY_S = 86_400;

function btc(): ListedSymbol {
  const source = simulatedSource(BTC, 'long');
  return { symbol: BTC, productId: 'BTCUSDT', source, ticks: ticksOf(BTC, source, 'long') };
}

test('continues the price where slow bars end and minutes begin', () => {
  const bars = longRange(btc(), 'long').bars(DAY_S, 20, NOW_MS);

  for (const [i, bar] of bars.slice(1).entries()) {
    const before = bars[i]?.close ?? 0;
    expect(Math.abs(bar.open - before)).toBeLessThanOrEqual(2 * BTC.tickSize);
  }
});

test('gives the same bars from another start', () => {
  expect(longRange(btc(), 'long').bars(DAY_S, 100, NOW_MS)).toEqual(longRange(btc(), 'long').bars(DAY_S, 100, NOW_MS));
});
