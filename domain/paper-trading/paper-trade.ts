/**
 * A closed paper trade as it is stored, in the browser or with the account. For accounts the database checks the same
 * rules again (tests/database/paper-trades.test.ts).
 */
import * as z from 'zod/mini';
import { MARKET_KINDS } from '../market/symbols.ts';
import { AUTO_CLOSE_MS, LATE_CLOSE_MS, pnlOf, TRADE_SIDES } from './trade-rules.ts';

/** The newest of an account, and of a visitor's browser. Older ones are deleted. */
export const MOST_TRADES = 500;
/** In one call to the database. */
export const MOST_TRADES_A_CALL = 100;

const price = z.number().check(z.positive(), z.lt(1e12));
const timeMs = z.int().check(z.gte(Date.UTC(2020, 0)), z.lt(Date.UTC(2100, 0)));

export const paperTradeSchema = z
  .object({
    /** 128 random bits, so that a trade that is sent twice is stored once. */
    id: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
    /** Simulated prices and real ones are never mixed in one result. */
    marketKind: z.enum(MARKET_KINDS),
    sym: z.string().check(z.regex(/^[A-Z0-9.!]{1,20}$/)),
    side: z.enum(TRADE_SIDES),
    entryPrice: price,
    /** Null if there was no live price when its time ended. Then it has no result. */
    exitPrice: z.nullable(price),
    /** Epoch milliseconds. */
    openedAt: timeMs,
    closedAt: timeMs,
  })
  .check(
    z.refine(({ openedAt, closedAt }) => closedAt >= openedAt && closedAt - openedAt <= AUTO_CLOSE_MS + LATE_CLOSE_MS),
  );
export type PaperTrade = z.infer<typeof paperTradeSchema>;

/** Null for a trade that ended without a price. */
export function tradePnl(trade: PaperTrade): number | null {
  return trade.exitPrice === null ? null : pnlOf(trade, trade.exitPrice);
}

/** Each trade once, newest first, at most `MOST_TRADES`. Of two with one id the first counts. */
export function mergeTrades(...lists: readonly (readonly PaperTrade[])[]): PaperTrade[] {
  const byId = new Map<string, PaperTrade>();
  for (const trade of lists.flat()) if (!byId.has(trade.id)) byId.set(trade.id, trade);
  return [...byId.values()].sort(newestFirst).slice(0, MOST_TRADES);
}

function newestFirst(a: PaperTrade, b: PaperTrade): number {
  return b.closedAt - a.closedAt || (a.id < b.id ? 1 : -1);
}
