/** They parse requests and build the document. No transforms, so that JSON Schema can express them. */
import * as z from 'zod/mini';
import {
  chanceAnswerSchema,
  lineAnswerSchema,
  POSED_NUMBERS,
  type PosedKind,
} from '#domain/chances/chance-messages.ts';
import { WINDOW_MINUTES } from '#domain/chances/clock-window.ts';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import { MAX_FOUND, MAX_QUERY_LENGTH } from '#domain/market/catalogue/found-market.ts';
import { MARKET_KINDS, SYMBOLS } from '#domain/market/symbols.ts';
import { TIMEFRAMES } from '#domain/market/timeframes.ts';
import { RECORDED_WINDOWS } from '#domain/record/chances/chance-moments.ts';
import { chanceScoreSchema } from '#domain/record/chances/chance-score.ts';
import { TRACK_PERIODS, type TrackPeriod } from '#domain/record/figures/track-summary.ts';
import { chanceBodySchema } from '#domain/record/ledger/chance-text.ts';
import { RECORD_ROLES, recordBodySchema } from '#domain/record/ledger/ledger.ts';
import { sealedRecordSchema } from '#domain/record/ledger/record-files.ts';
import { VOID_REASONS } from '#domain/record/scoring/outcome.ts';
import { RECORD_VOID_REASONS, recordScoreSchema } from '#domain/record/scoring/record-score.ts';
import { pathScoreSchema } from '#domain/record/scoring/scoring.ts';
import { watchedPairSchema } from '#domain/watchlist/watchlist.ts';
import { FORECAST_ID } from '../readings/forecast-by-id.ts';
import { latestForecastSchema, releasesSchema } from '../readings/forecast-shapes.ts';
import { predictionCursor } from '../readings/prediction-cursor.ts';

const optional = z.optional;
const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);
const isoTime = z.iso.datetime();
const [firstSym, ...otherSyms] = SYMBOLS.map(({ sym }) => sym);
const syms = z.enum([firstSym ?? '', ...otherSyms]);
const PERIODS = Object.keys(TRACK_PERIODS) as [TrackPeriod, ...TrackPeriod[]];

/** Length of a candle; absent: one minute. */
const tf = optional(z.enum(TIMEFRAMES));
const span = { from: optional(moment), to: optional(moment) };
const filters = {
  ...span,
  sym: optional(syms),
  model: optional(z.enum(MODEL_NAMES)),
  role: optional(z.enum(RECORD_ROLES)),
  market: optional(z.enum(MARKET_KINDS)),
  tf,
};
/** The number of the last record seen, in a chain without gaps. */
const recordCursor = z.string().check(z.regex(/^[1-9]\d{0,14}$/));

/** Code of any market, as /markets returns it. */
const anySym = z.string().check(z.regex(/^[A-Z0-9.!]{1,20}$/));
export const forecastQuery = z.strictObject({
  sym: optional(anySym),
  model: optional(z.enum(MODEL_NAMES)),
  tf,
});
const posedNumber = optional(z.string().check(z.maxLength(40)));
export const chancesQuery = z.strictObject({
  sym: optional(anySym),
  model: optional(z.enum(MODEL_NAMES)),
  tf,
  kind: z.enum(Object.keys(POSED_NUMBERS) as [PosedKind, ...PosedKind[]]),
  minutes: optional(z.enum(WINDOW_MINUTES.map(String))),
  price: posedNumber,
  lower: posedNumber,
  upper: posedNumber,
  target: posedNumber,
  stop: posedNumber,
  bar: posedNumber,
});
export const chancesAnswer = z.union([chanceAnswerSchema, lineAnswerSchema]);
export const forecastParams = z.strictObject({ id: z.string().check(z.regex(FORECAST_ID)) });
export const candlesQuery = z.strictObject({
  sym: anySym,
  tf,
  /** Opening second of the oldest candle of the page before. */
  cursor: optional(z.string().check(z.regex(/^[1-9]\d{0,10}$/))),
  limit: optional(z.int().check(z.minimum(1), z.maximum(500))),
});
export const marketsQuery = z.strictObject({
  query: optional(z.string().check(z.maxLength(MAX_QUERY_LENGTH), z.regex(/^\P{Cc}*$/u))),
  limit: optional(z.int().check(z.minimum(1), z.maximum(MAX_FOUND))),
});
export const eventsQuery = z.strictObject({ sym: optional(anySym), model: optional(z.enum(MODEL_NAMES)), tf });

export const recordsQuery = z.strictObject({
  ...filters,
  cursor: optional(recordCursor),
  limit: optional(z.int().check(z.minimum(1), z.maximum(1000))),
});
export const recordsCsvQuery = z.strictObject(filters);
export const summaryQuery = z.strictObject({
  period: optional(z.enum(PERIODS)),
  market: optional(z.enum(MARKET_KINDS)),
  tf,
});
/** Minutes of the clock window; absent: five. */
const window = optional(z.enum(RECORDED_WINDOWS.map(String)));
export const chanceRecordsQuery = z.strictObject({
  ...span,
  sym: optional(syms),
  market: optional(z.enum(MARKET_KINDS)),
  window,
  cursor: optional(recordCursor),
  limit: optional(z.int().check(z.minimum(1), z.maximum(1000))),
});
export const chanceSummaryQuery = z.strictObject({
  period: optional(z.enum(PERIODS)),
  market: optional(z.enum(MARKET_KINDS)),
  window,
});
export const predictionsQuery = z.strictObject({
  ...span,
  cursor: optional(predictionCursor),
  limit: optional(z.int().check(z.minimum(1), z.maximum(50))),
});
export const predictionsCsvQuery = z.strictObject(span);
export const noQuery = z.strictObject({});

/** A page of records. @param record  the parsed text @param score  of a known outcome */
function pageOf<Body extends z.ZodMiniType, Score extends z.ZodMiniType>(record: Body, score: Score) {
  return z.object({
    market: z.enum(MARKET_KINDS),
    from: isoTime,
    to: isoTime,
    records: z.array(
      z.object({
        /** SHA-256 of `text`. */
        hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
        /** The exact text in the chain; null while the record is sealed. */
        text: z.nullable(z.string()),
        /** The parsed text, with plain hashes and quantiles; null while the record is sealed. */
        record: z.nullable(record),
        /** Only while the record is sealed: its key and time. */
        sealed: optional(sealedRecordSchema),
        state: z.enum(['sealed', 'waiting', 'known', 'void']),
        voidReason: z.nullable(z.enum(RECORD_VOID_REASONS)),
        score: z.nullable(score),
      }),
    ),
    next: z.nullable(recordCursor),
  });
}
export const recordsAnswer = pageOf(recordBodySchema, recordScoreSchema);
export const chanceRecordsAnswer = pageOf(chanceBodySchema, chanceScoreSchema);

const candle = z.object({
  time: isoTime,
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  volume: optional(z.number()),
});
export const latestForecastAnswer = z.object({
  ...latestForecastSchema.shape,
  history: z.array(candle),
  /** One example of how the price may move. */
  path: z.array(candle),
});
export const candlesAnswer = z.object({
  symbol: z.string(),
  timeframe: z.enum(TIMEFRAMES),
  market: z.enum(MARKET_KINDS),
  venue: z.string(),
  attribution: z.string(),
  delayS: z.number(),
  isOpen: z.boolean(),
  isStale: z.boolean(),
  candles: z.array(candle),
  next: z.nullable(z.string()),
});
export const watchlistAnswer = z.object({ pairs: z.array(watchedPairSchema) });

const edge = z.array(z.number());
const outcome = z.nullable(
  z.union([
    z.object({ state: z.literal('waiting'), dueAt: z.string() }),
    z.object({
      state: z.literal('known'),
      dueAt: z.string(),
      marketKind: z.enum(MARKET_KINDS),
      candles: z.array(candle),
      score: pathScoreSchema,
    }),
    z.object({ state: z.literal('void'), dueAt: z.string(), reason: z.enum(VOID_REASONS) }),
  ]),
);
export const predictionsAnswer = z.object({
  predictions: z.array(
    z.object({
      id: z.guid(),
      coin: z.string(),
      timeframe: z.string(),
      model: z.string(),
      savedAt: z.string(),
      history: z.array(candle),
      forecast: z.array(candle),
      /** All candles of a prediction that is too short to tell where its forecast begins. */
      candles: optional(z.array(candle)),
      /** As they were streamed, one price per forecast candle; null for predictions saved before bands were. */
      band: z.nullable(z.object({ lower80: edge, upper80: edge, lower95: edge, upper95: edge })),
      /** What widened them; null without any, and for predictions saved before releases were counted. */
      releases: z.nullable(releasesSchema),
      outcome,
    }),
  ),
  next: z.nullable(predictionCursor),
});

const left = z.object({ limit: z.int(), left: z.int(), resetS: z.int() });
export const meAnswer = z.object({
  key: z.object({
    name: z.string(),
    prefix: z.string(),
    createdAt: isoTime,
    expiresAt: z.nullable(isoTime),
  }),
  /** After this request. */
  limits: z.object({ minute: left, day: left }),
});
