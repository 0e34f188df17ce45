/** A sandbox market with the server's connector and history on it, joined over real HTTP and WebSocket. */
import { type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import {
  type SandboxMarket,
  type SandboxMarketOptions,
  startSandboxMarket,
} from '../../sandbox/market/sandbox-market.ts';
import { sandboxSource } from '../../sandbox/market/sandbox-source.ts';
import type { CandleHistory } from '../../server/market/candle-history.ts';
import { inSandbox, openCandleVenues } from '../../server/market/candle-venues.ts';
import { openFailoverHistory } from '../../server/market/failover-history.ts';
import type { Venue } from '../../server/market/venue.ts';
import { createLogger } from '../../server/platform/log.ts';

export interface MovableClock {
  nowMs(): number;
  /** Set by a test; stands still in between. */
  ms: number;
}

/** Stands at Wednesday 12 November 2025, 15:00:20 UTC, inside every exchange's hours, unless told otherwise. */
export function movableClock(iso = '2025-11-12T15:00:20Z'): MovableClock {
  const clock = { ms: Date.parse(iso), nowMs: () => clock.ms };
  return clock;
}

export interface MarketStack {
  clock: MovableClock;
  sandbox: SandboxMarket;
  /** Binance's, the preferred one of the perpetuals. */
  venue: Venue;
  history: CandleHistory;
  /** Paths of the REST calls made so far. */
  calls: string[];
  close(): Promise<void>;
}

export async function startMarketStack(options: Partial<SandboxMarketOptions> = {}): Promise<MarketStack> {
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
  const { addresses, keys } = sandboxSource(sandbox);
  const [venue, ...others] = openCandleVenues(inSandbox({ order: [], addresses, keys, usesYahoo: true }), {
    clock: options.clock ?? clock,
    log,
    socketTiming: { retryMs: () => 20 },
    fetch: (input, init) => {
      calls.push(new URL(String(input)).pathname);
      return fetch(input, init);
    },
  });
  if (venue === undefined) throw new Error('no candle venue');
  const history = openFailoverHistory({
    venues: [venue, ...others],
    marketKind: (symbol: MarketSymbol) => sandbox.kindOf(symbol.sym),
    symbols: SYMBOLS,
    log,
    store: null,
    toldAs: { venueId: 'sandbox', attribution: 'Sandbox market' },
  });
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
