/** A sandbox market with the server's connector and history on it, joined over real HTTP and WebSocket. */
import { SYMBOLS } from '#domain/market/symbols.ts';
import {
  type SandboxMarket,
  type SandboxMarketOptions,
  startSandboxMarket,
} from '../../../sandbox/market/sandbox-market.ts';
import { sandboxSource } from '../../../sandbox/market/sandbox-source.ts';
import type { CandleHistory } from '../../../server/market/candles/candle-history.ts';
import { type MarketCandlesOptions, openMarketCandles } from '../../../server/market/candles/market-candles.ts';
import { binanceVenue } from '../../../server/market/venues/binance.ts';
import type { Venue } from '../../../server/market/venues/venue.ts';
import { CANDLE_VENUE_IDS } from '../../../server/platform/config/config-market.ts';
import { createLogger } from '../../../server/platform/telemetry/log.ts';

export interface MovableClock {
  nowMs(): number;
  /** Set by a test; constant in between. */
  ms: number;
}

/** Default: Wednesday 12 November 2025, 15:00:20 UTC, inside every exchange's hours. */
export function movableClock(iso = '2025-11-12T15:00:20Z'): MovableClock {
  const clock = { ms: Date.parse(iso), nowMs: () => clock.ms };
  return clock;
}

export interface MarketStack {
  clock: MovableClock;
  sandbox: SandboxMarket;
  /** A second connector beside the history's; its calls are counted too. */
  venue: Venue;
  history: CandleHistory;
  /** Paths of the REST calls made so far. */
  calls: string[];
  close(): Promise<void>;
}

/** @param settings  default: the product's own order of venues */
export async function startMarketStack(
  options: Partial<SandboxMarketOptions> = {},
  settings: MarketCandlesOptions['settings'] = { venueOrder: CANDLE_VENUE_IDS },
): Promise<MarketStack> {
  const clock = movableClock();
  const sandbox = await startSandboxMarket({
    clock,
    dataDir: null,
    speed: 1,
    seed: 'contract',
    startMs: null,
    ...options,
  });
  const log = createLogger('silent');
  const calls: string[] = [];
  const parts = {
    clock: options.clock ?? clock,
    log,
    socketTiming: { retryMs: () => 20 },
    fetch: (...[input, init]: Parameters<typeof fetch>) => {
      calls.push(new URL(String(input)).pathname);
      return fetch(input, init);
    },
  };
  const history = openMarketCandles({ source: sandboxSource(sandbox), settings, store: null, ...parts });
  const venue = binanceVenue({ ...sandbox.addresses.binance, symbols: SYMBOLS, ...parts });
  return {
    clock,
    sandbox,
    venue,
    history,
    calls,
    async close() {
      await history.close();
      await sandbox.close();
    },
  };
}
