import { PREDICTION_FUNCTIONS } from '#domain/contract/prediction-functions.ts';
import { AppError } from '#domain/errors/app-error.ts';
import { PREDICTION_BARS } from '#domain/forecast/window.ts';
import { contractFunctions, type ServerFunction } from '../../platform/http/calls/server-function.ts';
import type { PredictionStore } from './prediction-store.ts';

export function predictionFunctions({ predictions }: { predictions: PredictionStore }): ServerFunction[] {
  return contractFunctions(PREDICTION_FUNCTIONS, {
    /** The page reads null as 0 and checks the role, not the number, for whether an admin may predict. */
    async 'get-quota'({ caller }) {
      const quota = await predictions.quotaOf(caller.userId);
      return {
        ...(quota.isAdmin ? { unlimited: true as const } : {}),
        remaining_daily: quota.remainingDaily,
        remaining_monthly: quota.remainingMonthly,
      };
    },
    async 'create-prediction'({ body, caller }) {
      if (body.data.length !== PREDICTION_BARS) throw new AppError('prediction/wrong-length');
      return { row: await predictions.record(caller.userId, body) };
    },
  });
}
