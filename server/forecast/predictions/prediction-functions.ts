import { PREDICTION_FUNCTIONS } from '#domain/contract/prediction-functions.ts';
import { AppError } from '#domain/errors/app-error.ts';
import { PREDICTION_BARS } from '#domain/forecast/window.ts';
import type { Database } from '../../platform/database/database.ts';
import { contractFunctions, type ServerFunction } from '../../platform/http/calls/server-function.ts';
import { predictionHistory } from './prediction-history-store.ts';
import type { PredictionStore } from './prediction-store.ts';

export interface PredictionFunctionDeps {
  predictions: PredictionStore;
  database: Database;
}

export function predictionFunctions({ predictions, database }: PredictionFunctionDeps): ServerFunction[] {
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
    'list-predictions': ({ caller }) => predictionHistory(database, caller.userId),
    async 'create-prediction'({ body, caller }) {
      if (body.data.length !== PREDICTION_BARS) throw new AppError('prediction/wrong-length');
      return { row: await predictions.record(caller.userId, body) };
    },
  });
}
