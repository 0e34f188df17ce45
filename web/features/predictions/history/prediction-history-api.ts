import { type PredictionHistory, predictionHistorySchema } from '#domain/record/history/prediction-history.ts';
import { callTypedFunction } from '../../../platform/calls/functions.ts';

/** @throws CallError */
export function fetchPredictionHistory(signal: AbortSignal): Promise<PredictionHistory> {
  return callTypedFunction('list-predictions', {}, predictionHistorySchema, signal);
}
