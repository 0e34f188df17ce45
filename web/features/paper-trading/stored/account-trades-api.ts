/** The closed trades of an account, and the kind of market that a trade was made on. */
import * as z from 'zod/mini';
import type { MarketKind } from '#domain/market/symbols.ts';
import { MOST_TRADES, type PaperTrade, paperTradeSchema, tradePnl } from '#domain/paper-trading/paper-trade.ts';
import { publicConfig } from '../../../platform/config.ts';
import { callTables } from '../../../platform/supabase.ts';

const NOT_LOADED = 'We couldn’t load your trades.';
const NOT_SAVED = 'We couldn’t store your trades.';

/** @throws Error if the settings can't be read */
export async function marketKind(): Promise<MarketKind> {
  return (await publicConfig()).market.kind;
}

/** Newest first. @throws Error with a message for users; the signal's reason */
export async function fetchTrades(signal: AbortSignal): Promise<PaperTrade[]> {
  const { data } = await callTables(NOT_LOADED, signal, (client, limited) =>
    client
      .from('paper_trades')
      .select('id,market_kind,sym,side,entry_price,exit_price,opened_at,closed_at')
      .order('closed_at', { ascending: false })
      .limit(MOST_TRADES)
      .retry(false)
      .abortSignal(limited),
  );
  return z.parse(z.array(z.unknown()), data).map(tradeOf);
}

/** @param userId  whose they are: if another user is signed in by now, the server refuses  @throws Error */
export async function storeTrades(userId: string, trades: readonly PaperTrade[]): Promise<void> {
  await callTables(NOT_SAVED, new AbortController().signal, (client, limited) =>
    client
      .rpc('add_paper_trades', { p_trades: trades.map(rowOf), p_user: userId })
      .retry(false)
      .abortSignal(limited),
  );
}

/** The database refused what a trade holds: sending it again is no use. */
export function isRefused(error: unknown): boolean {
  const cause: unknown = error instanceof Error ? error.cause : null;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
  return /^2[23]/.test(code);
}

const timeMs = z.pipe(
  z.string(),
  z.transform((text) => Date.parse(text)),
);
const rowSchema = z.object({
  id: z.string(),
  market_kind: z.string(),
  sym: z.string(),
  side: z.string(),
  entry_price: z.number(),
  exit_price: z.nullable(z.number()),
  opened_at: timeMs,
  closed_at: timeMs,
});

function tradeOf(row: unknown): PaperTrade {
  const { market_kind, entry_price, exit_price, opened_at, closed_at, ...same } = z.parse(rowSchema, row);
  const renamed = { marketKind: market_kind, entryPrice: entry_price, exitPrice: exit_price };
  return z.parse(paperTradeSchema, { ...same, ...renamed, openedAt: opened_at, closedAt: closed_at });
}

function rowOf(trade: PaperTrade) {
  const { id, marketKind: market_kind, sym, side, entryPrice: entry_price, exitPrice: exit_price } = trade;
  const [opened_at, closed_at] = [trade.openedAt, trade.closedAt].map((atMs) => new Date(atMs).toISOString());
  return { id, market_kind, sym, side, entry_price, exit_price, opened_at, closed_at, pnl: tradePnl(trade) };
}
