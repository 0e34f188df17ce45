/**
 * Everything the product knows of markets, opened together: candles, order book, reference figures, calendar. A feed
 * that fails takes down neither the others nor the server.
 */
import type { Server } from 'node:http';
import type { Hono } from 'hono';
import { type MarketKind, type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { FeedAddresses, FeedKeys, MarketConfig } from '../platform/config-market.ts';
import type { Database } from '../platform/database.ts';
import type { Logger } from '../platform/log.ts';
import { openCalendar } from './calendar.ts';
import type { CandleHistory } from './candle-history.ts';
import { openCandleStore } from './candle-store.ts';
import { inSandbox, openCandleVenues, whyNoVenue } from './candle-venues.ts';
import { openFailoverHistory } from './failover-history.ts';
import { marketReadiness } from './market-readiness.ts';
import { marketRoutes } from './market-routes.ts';
import type { MarketState } from './market-state.ts';

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
  settings: Pick<MarketConfig, 'venueOrder' | 'usesYahoo'>;
  database: Database;
  clock: Clock;
  log: Logger;
}

export interface Market {
  history: CandleHistory;
  routes: readonly Hono[];
  /** Every feed as it is now, for operators. */
  state(): MarketState;
  /** For /readyz. */
  isReady(): Promise<boolean>;
  /** Takes the upgrades of the live socket. */
  attach(server: Server): void;
  close(): Promise<void>;
}

/** How the screen names a sandbox market, whichever service it plays. */
const SANDBOX_NAME = { venueId: 'sandbox', attribution: 'Sandbox market' };

export function openMarket({ source, settings, database, clock, log }: MarketOptions): Market {
  const { addresses, keys, kindOf } = source;
  const stopping = new AbortController();
  const isLive = source.kind === 'live';
  // A replay moves its candles to now: what is stored of it would be another market's tomorrow.
  const store = isLive ? openCandleStore({ database, clock, log }) : null;
  const candleSettings = { order: settings.venueOrder, usesYahoo: settings.usesYahoo, addresses, keys };
  const history = openFailoverHistory({
    venues: openCandleVenues(isLive ? candleSettings : inSandbox(candleSettings), { clock, log }),
    marketKind: kindOf,
    symbols: SYMBOLS,
    log,
    store,
    whyNone: whyNoVenue,
    toldAs: isLive ? undefined : SANDBOX_NAME,
  });
  const calendar = openCalendar({ kind: source.kind, clock, log });
  return {
    history,
    routes: [marketRoutes({ history }), calendar.routes],
    attach() {},
    state: () => ({ feeds: history.state(), store: store?.state() ?? null }),
    isReady: marketReadiness(history, stopping.signal),
    async close() {
      stopping.abort();
      await Promise.all([history.close(), calendar.close()]);
      await store?.close();
    },
  };
}
