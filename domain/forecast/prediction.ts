/** A saved prediction as the database returns it, parsed defensively. */

import * as z from 'zod/mini';
import { parsedList } from '../format/parsed-json.ts';
import type { Candle } from '../market/candle.ts';
import { marketDecimals } from '../market/named-market.ts';
import { SECONDS_BELOW } from '../time/epoch.ts';
import type { ForecastBand } from './quantiles.ts';
import { type ForecastReleases, forecastReleasesSchema } from './releases/forecast-releases.ts';
import { HISTORY_BARS, HORIZON_BARS, PREDICTION_BARS } from './window.ts';

const savedEdge = z.array(z.number().check(z.positive())).check(z.length(HORIZON_BARS));
const savedBandSchema: z.ZodMiniType<ForecastBand> = z.object({
  lower80: savedEdge,
  upper80: savedEdge,
  lower95: savedEdge,
  upper95: savedEdge,
});

export const predictionRowSchema = z.object({
  id: z.string(),
  user_id: z.string(),
  cryptocurrency: z.string(),
  timeframe: z.string(),
  model: z.string(),
  created_at: z.string(),
  data: z.unknown(),
  /** Null for predictions saved before bands were, and for a band that cannot be drawn. */
  band: z.catch(z.optional(z.nullable(savedBandSchema)), null),
  /** Null without any within the forecast, and for predictions saved before releases were counted. */
  releases: z.catch(z.optional(z.nullable(forecastReleasesSchema)), null),
});
export type PredictionRow = z.infer<typeof predictionRowSchema>;

/** Null unless it is a whole band. */
export function readSavedBand(data: unknown): ForecastBand | null {
  return savedBandSchema.safeParse(data).data ?? null;
}

/** Undefined unless it is one. */
export function readSavedReleases(data: unknown): ForecastReleases | undefined {
  return forecastReleasesSchema.safeParse(data).data;
}

export const TIMEFRAME = '1min';

export interface SavedCandles {
  candles: Candle[];
  /** True when fewer than 200 bars remain: 'Saved prediction had fewer than 200 bars'. */
  isShort: boolean;
}

/** A day before the largest valid date, in either direction. */
const MAX_TIME_S = 8.63e12;

/** Seconds, or milliseconds from 2e9 on; also as numeric text. */
const timeSchema = z.pipe(
  z.pipe(
    z.union([z.number(), z.string().check(z.regex(/^\s*[-+]?\d+(\.\d+)?\s*$/))]),
    z.transform((value) => (Number(value) < SECONDS_BELOW ? Number(value) : Number(value) / 1000)),
  ),
  z.number().check(z.gte(-MAX_TIME_S), z.lte(MAX_TIME_S)),
);

/** A drawable candle: five finite numbers (zod's numbers are finite). An invalid volume is dropped. */
const savedCandleSchema = z.object({
  time: timeSchema,
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  volume: z.catch(z.optional(z.number()), undefined),
});

/** Candles of a list or of JSON text of a list: non-finite entries dropped, only the last 200 returned (R-SAVED-1). */
export function readSavedCandles(data: unknown): SavedCandles {
  const candles = parsedList(data)
    .flatMap((entry) => savedCandleSchema.safeParse(entry).data ?? [])
    .map(({ volume, ...prices }): Candle => (volume === undefined ? prices : { ...prices, volume }))
    .slice(-PREDICTION_BARS);
  return { candles, isShort: candles.length < PREDICTION_BARS };
}

/** Opening second of the last real candle: the last 50 of a full prediction are forecast. Null for a short one. */
export function savedJoinS(candles: readonly Candle[]): number | null {
  return candles.length === PREDICTION_BARS ? (candles[HISTORY_BARS - 1]?.time ?? null) : null;
}

/** Decimals of its prices. @param label  `cryptocurrency` of its row */
export function savedDecimals(label: string, candles: readonly Candle[]): number {
  return marketDecimals(
    label,
    candles.slice(0, HISTORY_BARS).map(({ close }) => close),
  );
}

/** Response of create-prediction; refusals are sent as 200 with ok false. */
export const createPredictionAnswerSchema = z.object({
  ok: z.boolean(),
  reason: z.optional(z.string()),
  message: z.optional(z.string()),
  row: z.optional(predictionRowSchema),
});
