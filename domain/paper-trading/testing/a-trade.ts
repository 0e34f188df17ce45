import type { PaperTrade } from '../paper-trade.ts';

/** A simulated long of BTC that earns 10. @param n  its id, and the minute in which it opens */
export function aTrade(n: number, change: Partial<PaperTrade> = {}): PaperTrade {
  const openedAt = Date.UTC(2026, 0, 5, 12) + n * 60_000;
  return {
    id: n.toString(16).padStart(32, '0'),
    marketKind: 'simulated',
    sym: 'BTCUSDT.P',
    side: 'long',
    entryPrice: 1000,
    exitPrice: 1010,
    openedAt,
    closedAt: openedAt + 30_000,
    ...change,
  };
}
