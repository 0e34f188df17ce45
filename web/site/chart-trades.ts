/** Paper trades for whichever chart shows their market. The panel that has them reports them while it is on the page. */
import { useEffect, useSyncExternalStore } from 'react';
import type { PaperTrade, TradeSide } from '#domain/paper-trading/paper-trade.ts';
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

function set(trades: ChartTrades): void {
  const shared = page();
  shared.trades = trades;
  for (const listener of shared.listeners) listener();
}

/** @param trades  the same object while nothing has changed */
export function useReportedTrades(trades: ChartTrades): void {
  useEffect(() => {
    set(trades);
    return () => set(NONE);
  }, [trades]);
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
