/** get-track-board: the caller's saved predictions, the community's votes and the models on one board, for Bitcoin. */
import * as z from 'zod/mini';
import { DEFAULT_SYMBOL, type MarketKind, type MarketSymbol } from '#domain/market/symbols.ts';
import { BOARD_PERIODS, type TrackBoard } from '#domain/record/figures/board.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { type ServerFunction, serverFunction } from '../../platform/http/calls/server-function.ts';
import { boardStore } from './board-store.ts';
import { periodsOf, type SharedCalls, sharedCalls } from './make-board.ts';

export interface TrackBoardDeps {
  database: Database;
  /** Our own clock. */
  clock: Clock;
  /** The market's clock; ours where the market uses our time. */
  marketClock: Clock;
  kindOf(symbol: MarketSymbol): MarketKind;
}

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
/** The shared part changes hourly. */
const SHARED_MS = 5 * 60_000;

/** Answers `{ok: true, board}`: see trackBoardSchema. Reads no predictions except the caller's own. */
export function trackBoard({ database, clock, marketClock, kindOf }: TrackBoardDeps): ServerFunction {
  const store = boardStore(database);
  const market = kindOf(DEFAULT_SYMBOL);
  const { sym } = DEFAULT_SYMBOL;
  let cached: { untilMs: number; calls: Promise<SharedCalls> } | null = null;

  function cachedCalls(): Promise<SharedCalls> {
    const nowMs = clock.nowMs();
    // Also expires when the clock was set back.
    if (cached === null || nowMs >= cached.untilMs || nowMs < cached.untilMs - SHARED_MS) {
      const calls = readShared();
      const mine = { untilMs: nowMs + SHARED_MS, calls };
      cached = mine;
      // The next request retries after a failure; this one's caller gets the error.
      calls.catch(() => {
        if (cached === mine) cached = null;
      });
    }
    return cached.calls;
  }

  async function readShared(): Promise<SharedCalls> {
    const toS = Math.floor(marketClock.nowMs() / 1000 / HOUR_S) * HOUR_S;
    const records = await store.hourlyRecords(market, sym, toS - BOARD_PERIODS['30d'] * DAY_S, toS);
    const firstMs = records.reduce((first, { issuedMs }) => Math.min(first, issuedMs), clock.nowMs());
    return sharedCalls(records, await store.votesByHour(firstMs - 2 * DAY_S * 1000));
  }

  return serverFunction({
    name: 'get-track-board',
    body: z.unknown(),
    acceptsGet: true,
    async handle({ caller }) {
      const nowS = marketClock.nowMs() / 1000;
      const sinceS = nowS - BOARD_PERIODS['30d'] * DAY_S;
      const [own, others] = await Promise.all([store.ownCalls(caller.userId, market, sym, sinceS), cachedCalls()]);
      const board: TrackBoard = { market, periods: periodsOf(own, others, nowS) };
      return { ok: true, board };
    },
  });
}
