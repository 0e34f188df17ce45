/**
 * Everything the product knows of markets, opened together: candles, order book, reference figures, calendar. A feed
 * that fails takes down neither the others nor the server.
 */
import type { Server } from 'node:http';
import type { Hono } from 'hono';
import { type MarketKind, type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { FeedAddresses, FeedKeys } from '../platform/config-market.ts';
import type { Database } from '../platform/database.ts';
import type { Logger } from '../platform/log.ts';
import { openCalendar } from './calendar.ts';
import type { CandleHistory } from './candle-history.ts';
import { openCandleHistory } from './live-candle-history.ts';
import { marketRoutes } from './market-routes.ts';
import { binanceVenue } from './venues/binance.ts';

/** Where the market comes from: the real services, or the sandbox in the place of all of them. */
export interface MarketSource {
  kind: MarketKind;
  kindOf(symbol: MarketSymbol): MarketKind;
  /** One line for people. */
  detail: string;
  /** Whose order book and ticker the live socket carries. */
  bookSource: string;
  addresses: FeedAddresses;
  keys: FeedKeys;
}

export interface MarketOptions {
  source: MarketSource;
  database: Database;
  clock: Clock;
  log: Logger;
}

export interface Market {
  history: CandleHistory;
  routes: readonly Hono[];
  /** Takes the upgrades of the live socket. */
  attach(server: Server): void;
  close(): Promise<void>;
}

export function openMarket({ source, clock, log }: MarketOptions): Market {
  const symbols = source.kind === 'live' ? SYMBOLS.filter((s) => s.assetClass === 'crypto') : SYMBOLS;
  const id = source.kind === 'live' ? 'binance' : 'sandbox';
  const venue = binanceVenue({ ...source.addresses.binance, id, symbols, clock, log });
  const history = openCandleHistory({ venue, marketKind: source.kindOf, symbols, log });
  const calendar = openCalendar({ kind: source.kind, clock, log });
  return {
    history,
    routes: [marketRoutes({ history }), calendar.routes],
    attach() {},
    async close() {
      await Promise.all([history.close(), calendar.close()]);
    },
  };
}
