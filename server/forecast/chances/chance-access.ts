/**
 * Which markets a user may put questions about: the public forecast's for everyone, others for users who could get that
 * forecast now. Without predictions left, only the forecast that the user already received answers. A question takes no quota. docs/decisions/075-chances-on-request.md
 */
import { AppError, type ErrorCode } from '#domain/errors/app-error.ts';
import { MODELS, PUBLIC_FORECAST } from '#domain/forecast/models.ts';
import { DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import { groupedCalls } from '../../platform/database/grouped-calls.ts';
import type { RateLimiterOf } from '../../platform/http/guards/rate-limit.ts';
import { type CountNewForecast, newForecastCount } from '../new-forecasts.ts';
import type { PredictionStore, QuestionPermission, ReservationKey } from '../predictions/prediction-store.ts';
import { type ChanceSource, marketKey } from './chance-forecasts.ts';

/** The forecasts that may answer: any, or the one after a candle, because no prediction is left. */
export type ChanceGrant = { kind: 'any' } | { kind: 'held'; t0: number; code: ErrorCode };

export const ANY_FORECAST: ChanceGrant = { kind: 'any' };

/** @throws AppError `quota/daily-spent`, `quota/monthly-spent` for a forecast that is newer than the one paid for */
export function requireGranted(grant: ChanceGrant, { t0 }: { t0: number }): void {
  if (grant.kind === 'held' && grant.t0 !== t0) throw new AppError(grant.code);
}

export interface ChanceAccess {
  /**
   * @param userId  null for a visitor. @throws AppError `auth/not-signed-in`, `forecast/model-locked`,
   * `quota/daily-spent`, `quota/monthly-spent`
   */
  grantOf(market: ChanceSource, userId: string | null): Promise<ChanceGrant>;
  /** Counts a question that needs a forecast which no one has yet. @throws AppError `request/too-many` */
  countNewForecast: CountNewForecast;
}

export interface ChanceAccessDeps {
  predictions: Pick<PredictionStore, 'questionPermissions'>;
  limiterOf: RateLimiterOf;
  monotonicMs?: () => number;
}

/** A dragged line sends several questions a second, and a plan does not change that often. */
const PERMISSION_LASTS_MS = 10_000;
const MOST_PERMISSIONS = 10_000;
/** A millisecond each in the database: other work is held up for a fifth of a second at most. */
const TOGETHER = { maxItems: 200 };

/** True for the market that is free for everyone. */
export function isPublicMarket({ symbol, model, timeframe }: ChanceSource): boolean {
  return symbol.sym === PUBLIC_FORECAST.sym && model === PUBLIC_FORECAST.model && timeframe === DEFAULT_TIMEFRAME;
}

export function chanceAccess({ predictions, limiterOf, ...options }: ChanceAccessDeps): ChanceAccess {
  const monotonicMs = options.monotonicMs ?? (() => performance.now());
  const countNewForecast = newForecastCount(limiterOf);
  const permissions = new Map<string, { permission: QuestionPermission; atMs: number }>();
  const readPermission = groupedCalls<ReservationKey, QuestionPermission>(
    (keys) => predictions.questionPermissions(keys),
    TOGETHER,
  );

  async function permissionOf(market: ChanceSource, userId: string): Promise<QuestionPermission> {
    const { symbol, model, timeframe } = market;
    const key = `${userId} ${marketKey(market)}`;
    const known = permissions.get(key);
    if (known !== undefined && monotonicMs() - known.atMs < PERMISSION_LASTS_MS) return known.permission;
    const wanted = { userId, model: MODELS[model].backendName, exc: symbol.exc, sym: symbol.sym, timeframe };
    const permission = await readPermission(wanted);
    permissions.delete(key);
    permissions.set(key, { permission, atMs: monotonicMs() });
    const [oldest = key] = permissions.keys();
    if (permissions.size > MOST_PERMISSIONS) permissions.delete(oldest);
    return permission;
  }

  return {
    async grantOf(market, userId) {
      if (isPublicMarket(market)) return ANY_FORECAST;
      if (userId === null) throw new AppError('auth/not-signed-in');
      const permission = await permissionOf(market, userId);
      if (permission.kind !== 'refused') return ANY_FORECAST;
      const { code, heldT0 } = permission;
      if (heldT0 === null) throw new AppError(code);
      return { kind: 'held', t0: heldT0, code };
    },
    countNewForecast,
  };
}
