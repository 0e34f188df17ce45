/** get-quota: predictions left today (UTC) and in this billing period. */
import * as z from 'zod/mini';
import { type ServerFunction, serverFunction } from '../../platform/http/calls/server-function.ts';
import type { PredictionStore } from './prediction-store.ts';

/**
 * Answers `{ok, remaining_daily, remaining_monthly}`, whole numbers, -1 without a limit. For an admin both are null and
 * `unlimited` is true. The page reads null as 0 and checks the role, not the number, for whether an admin may predict.
 */
export function getQuota(deps: { predictions: PredictionStore }): ServerFunction {
  return serverFunction({
    name: 'get-quota',
    body: z.unknown(),
    acceptsGet: true,
    async handle({ caller }) {
      const quota = await deps.predictions.quotaOf(caller.userId);
      return {
        ok: true,
        ...(quota.isAdmin ? { unlimited: true } : {}),
        remaining_daily: quota.remainingDaily,
        remaining_monthly: quota.remainingMonthly,
      };
    },
  });
}
