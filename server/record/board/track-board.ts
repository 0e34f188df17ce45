/** get-track-board: the caller's saved predictions, the community's votes and the models on one board, for Bitcoin. */
import type { BOARD_FUNCTIONS } from '#domain/contract/prediction-functions.ts';
import { DEFAULT_SYMBOL, type MarketKind, type MarketSymbol } from '#domain/market/symbols.ts';
import { DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import { BOARD_PERIODS } from '#domain/record/figures/board.ts';
import { timeframeField } from '#domain/record/ledger/ledger.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { Core } from '../../core.ts';
import type { FunctionHandler } from '../../platform/http/calls/server-function.ts';
import { boardStore } from './board-store.ts';
import { periodsOf, type SharedCalls, sharedCalls } from './make-board.ts';

export interface TrackBoardDeps extends Pick<Core, 'database' | 'clock'> {
  /** The market's clock; ours where the market uses our time. */
  marketClock: Clock;
  kindOf(symbol: MarketSymbol): MarketKind;
}

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
/** The shared part changes hourly. */
const SHARED_MS = 5 * 60_000;

/** Reads no predictions except the caller's own. */
export function trackBoard({
  database,
  clock,
  marketClock,
  kindOf,
}: TrackBoardDeps): FunctionHandler<(typeof BOARD_FUNCTIONS)['get-track-board']> {
  const store = boardStore(database);
  const market = kindOf(DEFAULT_SYMBOL);
  const { sym } = DEFAULT_SYMBOL;
  const cache = new Map<Timeframe, { untilMs: number; calls: Promise<SharedCalls> }>();

  function cachedCalls(timeframe: Timeframe): Promise<SharedCalls> {
    const nowMs = clock.nowMs();
    const cached = cache.get(timeframe);
    // Also expires when the clock was set back.
    if (cached === undefined || nowMs >= cached.untilMs || nowMs < cached.untilMs - SHARED_MS) {
      const calls = readShared(timeframe);
      const mine = { untilMs: nowMs + SHARED_MS, calls };
      cache.set(timeframe, mine);
      // The next request retries after a failure; this one's caller gets the error.
      calls.catch(() => {
        if (cache.get(timeframe) === mine) cache.delete(timeframe);
      });
      return calls;
    }
    return cached.calls;
  }

  async function readShared(timeframe: Timeframe): Promise<SharedCalls> {
    const toS = Math.floor(marketClock.nowMs() / 1000 / HOUR_S) * HOUR_S;
    const records = await store.hourlyRecords({ market, sym, timeframe }, toS - BOARD_PERIODS['30d'] * DAY_S, toS);
    const firstMs = records.reduce((first, { issuedMs }) => Math.min(first, issuedMs), clock.nowMs());
    return sharedCalls(records, await store.votesByHour(firstMs - 2 * DAY_S * 1000), timeframe);
  }

  return async ({ body, caller }) => {
    const timeframe = body?.tf ?? DEFAULT_TIMEFRAME;
    const nowS = marketClock.nowMs() / 1000;
    const sinceS = nowS - BOARD_PERIODS['30d'] * DAY_S;
    const [own, others] = await Promise.all([
      store.ownCalls(caller.userId, { market, sym, timeframe }, sinceS),
      cachedCalls(timeframe),
    ]);
    const periods = periodsOf(own, others, timeframe, nowS);
    return { board: { market, ...timeframeField(timeframe), periods } };
  };
}
