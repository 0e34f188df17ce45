import * as z from 'zod/mini';
import { modelOfBackendName } from '../forecast/models.ts';
import { readSavedBand, readSavedCandles } from '../forecast/prediction.ts';
import type { ForecastBand } from '../forecast/quantiles.ts';
import { parsedList } from '../format/parsed-json.ts';
import type { Candle } from '../market/candle.ts';
import { momentSchema } from './moment.ts';

export interface UserPrediction {
  id: string;
  cryptocurrency: string;
  timeframe: string;
  /** For an unknown model, its stored name. */
  modelLabel: string;
  createdMs: number | null;
  /** The last 200, oldest first; invalid candles are dropped. */
  candles: readonly Candle[];
  /** Null for predictions saved before bands were, and for a band that cannot be drawn. */
  band: ForecastBand | null;
}

const MAX_SHOWN = 2;
const text = z.catch(z.string(), '');
const predictionSchema = z.object({
  id: z.string(),
  cryptocurrency: text,
  timeframe: text,
  model: text,
  created_at: momentSchema,
  data: z.optional(z.unknown()),
  band: z.optional(z.unknown()),
});

/** @param value  `last_two_predictions`: a list, or its JSON text. @returns at most two, newest first as received */
export function readUserPredictions(value: unknown): UserPrediction[] {
  return parsedList(value)
    .flatMap((entry) => predictionSchema.safeParse(entry).data ?? [])
    .slice(0, MAX_SHOWN)
    .map(({ id, cryptocurrency, timeframe, model, created_at, data, band }) => ({
      id,
      cryptocurrency,
      timeframe,
      modelLabel: modelOfBackendName(model)?.label ?? model,
      createdMs: created_at,
      candles: readSavedCandles(data).candles,
      band: readSavedBand(band),
    }));
}
