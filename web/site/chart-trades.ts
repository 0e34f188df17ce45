/** Paper trades for whichever chart shows their market. The panel that has them reports them while it is on the page. */
import { useEffect, useSyncExternalStore } from 'react';
import type { PaperTrade } from '#domain/paper-trading/paper-trade.ts';
import type { TradeSide } from '#domain/paper-trading/trade-rules.ts';
import { pageState } from '../page-state.ts';

export interface OpenChartTrade {
  sym: string;
  side: TradeSide;
  entryPrice: number;
  /** Epoch milliseconds. */
  openedAt: number;
  /** Its result now; null without a live price. */
  running(): number | null;
}

export interface ChartTrades {
  /** Newest first. */
  closed: readonly PaperTrade[];
  open: OpenChartTrade | null;
}

const NONE: ChartTrades = { closed: [], open: null };
const page = pageState(() => ({ trades: NONE, listeners: new Set<() => void>() }));

/** @param trades  the same object while nothing has changed */
export function useReportedTrades<Part extends keyof ChartTrades>(part: Part, trades: ChartTrades[Part]): void {
  useEffect(() => {
    set({ [part]: trades });
    return () => set({ [part]: NONE[part] });
  }, [part, trades]);
}

function set(change: Partial<ChartTrades>): void {
  const shared = page();
  shared.trades = { ...shared.trades, ...change };
  for (const listener of shared.listeners) listener();
}

export function useChartTrades(): ChartTrades {
  return useSyncExternalStore(listen, tradesNow, tradesNow);
}

const tradesNow = () => page().trades;

function listen(listener: () => void): () => void {
  const { listeners } = page();
  listeners.add(listener);
  return () => listeners.delete(listener);
}
