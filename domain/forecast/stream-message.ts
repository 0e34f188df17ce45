/**
 * Messages of GET /stream-kat2, defined once for server and page. Candle messages are unnamed events; `start` comes
 * first and carries what the chart needs besides the candles. Event ids are `<reservationId>:<candles sent so far>`, so
 * that Last-Event-ID resumes after the last candle seen.
 */
import * as z from 'zod/mini';
import { candleSchema } from '../market/candle.ts';
import { MARKET_KINDS } from '../market/symbols.ts';
import { DEFAULT_TIMEFRAME, TIMEFRAMES } from '../market/timeframes.ts';
import { MODEL_NAMES } from './models.ts';
import { forecastReleasesSchema } from './releases/forecast-releases.ts';

const bandEdge = z.array(z.number()).check(z.maxLength(50));

export const streamStartSchema = z.object({
  /** Null for admins, whose streams reserve and save nothing. */
  reservationId: z.nullable(z.string()),
  /** Opening second of the last real candle the model saw. */
  t0: z.int(),
  lastClose: z.number(),
  exc: z.string(),
  sym: z.string(),
  /** Length of its candles; absent: one minute. */
  timeframe: z.optional(z.enum(TIMEFRAMES)),
  model: z.enum(MODEL_NAMES),
  modelVersion: z.string(),
  issuedAtMs: z.number(),
  marketKind: z.enum(MARKET_KINDS),
  /** Absent: nothing is released until its last bar closes. */
  releases: z.optional(forecastReleasesSchema),
  ampPercent: z.number(),
  band: z.object({ lower80: bandEdge, upper80: bandEdge, lower95: bandEdge, upper95: bandEdge }),
});
export type StreamStart = z.infer<typeof streamStartSchema>;

export const streamErrorSchema = z.object({ error: z.string(), code: z.optional(z.string()) });
export const streamCandleSchema = candleSchema;

export const START_EVENT = 'start';
/** Pace at which candles are sent for display: ten a second. */
export const CANDLE_PACE_MS = 100;

/** GET /forecast/reservations/:id - a finished forecast fetched again by its owner. */
export const storedForecastSchema = z.object({
  start: streamStartSchema,
  history: z.array(candleSchema),
  forecast: z.array(candleSchema),
  state: z.enum(['reserved', 'spent']),
});
export type StoredForecast = z.infer<typeof storedForecastSchema>;

/** One item of GET /forecast/reservations: a forecast that its owner has paid for but not saved yet. */
export const unsavedForecastSchema = z.object({
  id: z.string(),
  /** Backend name: kat1, kat2_2, kat2_4. */
  model: z.string(),
  exc: z.string(),
  sym: z.string(),
  label: z.string(),
  timeframe: z._default(z.enum(TIMEFRAMES), DEFAULT_TIMEFRAME),
  t0: z.int(),
  candlesSent: z.int(),
  createdAtMs: z.number(),
  expiresAtMs: z.number(),
  /** Age since the reservation, by the server's clock: a browser's clock may be wrong. */
  ageMs: z.number(),
});
export type UnsavedForecast = z.infer<typeof unsavedForecastSchema>;

/** GET /forecast/reservations: newest first. */
export const unsavedForecastsSchema = z.object({ reservations: z.array(unsavedForecastSchema) });
