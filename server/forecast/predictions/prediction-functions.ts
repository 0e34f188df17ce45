import * as z from 'zod/mini';
import { AppError } from '#domain/errors/app-error.ts';
import { createPredictionSchema } from '#domain/forecast/create-prediction.ts';
import { PREDICTION_BARS } from '#domain/forecast/window.ts';
import { type ServerFunction, serverFunction } from '../../platform/http/calls/server-function.ts';
import type { PredictionStore } from './prediction-store.ts';

const MAX_BYTES = 1024 * 1024;

/** Only candles streamed to this user. `{ok: true, row}`; a repeat finds the same row and costs nothing. */
export function createPrediction(deps: { predictions: PredictionStore }): ServerFunction {
  return serverFunction({
    name: 'create-prediction',
    body: createPredictionSchema,
    maxBytes: MAX_BYTES,
    refusals: [
      'prediction/wrong-length',
      'prediction/not-streamed',
      'prediction/admin-saves-nothing',
      'forecast/model-locked',
    ],
    async handle({ body, caller }) {
      if (body.data.length !== PREDICTION_BARS) throw new AppError('prediction/wrong-length');
      return { ok: true, row: await deps.predictions.record(caller.userId, body) };
    },
  });
}

/**
 * Predictions left today (UTC) and in this billing period. Answers `{ok, remaining_daily, remaining_monthly}`, whole
 * numbers, -1 without a limit. For an admin both are null and `unlimited` is true. The page reads null as 0 and checks
 * the role, not the number, for whether an admin may predict.
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
