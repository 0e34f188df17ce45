/** Chances of every market: prepared forecasts, live prices, and answers to questions. */
import type { ChanceAnswer, LineAnswer, LiveChances, PosedChance } from '#domain/chances/chance-messages.ts';
import type { RefusedChance } from '#domain/chances/refusals.ts';
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import { barSecondsOf } from '#domain/market/timeframes.ts';
import type { FailoverHistory } from '../../market/candles/failover-history.ts';
import type { SymbolLookup } from '../../market/catalogue/symbol-lookup.ts';
import type { RateLimiterOf } from '../../platform/http/guards/rate-limit.ts';
import type { Forecasts } from '../forecast.ts';
import type { PredictionStore } from '../predictions/prediction-store.ts';
import { chanceAnswers, type PosedMoment, type SimilarOf } from './answer-chances.ts';
import { type ChanceAccess, type ChanceGrant, chanceAccess, isPublicMarket, requireGranted } from './chance-access.ts';
import { type ChanceSource, openChanceForecasts } from './chance-forecasts.ts';
import { openMarketMoments } from './market-moments.ts';
import type { TablesOf } from './path-tables.ts';
import type { MarketQuery } from './read-chance-query.ts';

export interface Chances {
  /** @throws AppError `market/unknown-symbol`, `market/delisted`, `market/halted`, `venue/unavailable` */
  marketOf(query: MarketQuery, signal: AbortSignal): Promise<ChanceSource>;
  /** Refuses a user without access to the market. @throws AppError of ChanceAccess */
  admit(market: ChanceSource, userId: string | null): Promise<ChanceGrant>;
  /** The same, without counting anything. */
  grantOf: ChanceAccess['grantOf'];
  /**
   * Whether an open stream may continue: the plan still includes the market.
   * @param userOf  who watches; rejects with an AppError once the session has ended
   */
  mayGoOn(market: ChanceSource, userOf: () => Promise<string>): Promise<boolean>;
  /**
   * How long the forecast that a viewer paid for is the newest; infinity if any forecast may answer.
   * @throws AppError of momentOf
   */
  lastsMs(market: ChanceSource, grant: ChanceGrant, signal: AbortSignal): Promise<number>;
  /** @throws AppError of Forecasts.current, `market/closed`, and of requireGranted */
  momentOf(market: ChanceSource, signal: AbortSignal, grant: ChanceGrant): Promise<PosedMoment>;
  answer(posed: PosedChance, at: PosedMoment): ChanceAnswer | LineAnswer | RefusedChance;
  live(at: PosedMoment): LiveChances;
  close(): void;
}

export interface ChancesDeps {
  forecasts: Pick<Forecasts, 'current' | 'isKnown'>;
  tablesOf: TablesOf;
  history: Pick<FailoverHistory, 'latest' | 'watch'>;
  symbols: Pick<SymbolLookup, 'savedSymbol' | 'tradedSymbol' | 'endOf'>;
  predictions: Pick<PredictionStore, 'questionPermissions'>;
  limiterOf: RateLimiterOf;
  similarOf: SimilarOf;
  /** Default: this machine's. Decides how long a plan and a market's candles are remembered. */
  monotonicMs?: () => number;
}

export function openChances(deps: ChancesDeps): Chances {
  const { symbols, similarOf } = deps;
  const forecasts = openChanceForecasts(deps);
  const moments = openMarketMoments(deps);
  const access: ChanceAccess = chanceAccess(deps);
  const answers = chanceAnswers(similarOf);

  async function momentOf(market: ChanceSource, signal: AbortSignal, grant: ChanceGrant): Promise<PosedMoment> {
    const moment = await moments.now(market.symbol, signal);
    const prepared = await forecasts.current(market, moment.nowMs, signal);
    requireGranted(grant, prepared.source);
    return { ...prepared, moment };
  }

  return {
    async marketOf({ sym, model, timeframe }, signal) {
      const known = sym === '' ? null : await symbols.savedSymbol(sym, signal);
      const symbol = known && (await symbols.tradedSymbol(known.exc, sym, signal));
      if (symbol === null) throw new AppError('market/unknown-symbol', { details: { parameter: 'symbol' } });
      return { symbol, model, timeframe };
    },
    async admit(market, userId) {
      const grant = await access.grantOf(market, userId);
      if (userId !== null && !isPublicMarket(market) && !forecasts.isKnown(market))
        await access.countNewForecast(userId);
      return grant;
    },
    grantOf: access.grantOf,
    async mayGoOn(market, userOf) {
      try {
        return (await access.grantOf(market, await userOf())).kind === 'any';
      } catch (error) {
        if (isAppError(error) && !error.code.startsWith('database/')) return false;
        throw error;
      }
    },
    async lastsMs(market, grant, signal) {
      if (grant.kind === 'any') return Number.POSITIVE_INFINITY;
      const { moment } = await momentOf(market, signal, grant);
      return Math.max(0, (grant.t0 + 2 * barSecondsOf(market.timeframe)) * 1000 - moment.nowMs);
    },
    momentOf,
    answer: answers.answer,
    live: answers.live,
    close: moments.close,
  };
}
