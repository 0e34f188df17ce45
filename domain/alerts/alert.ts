import * as z from 'zod/mini';
import { MODEL_NAMES } from '../forecast/models.ts';
import { MARKET_KINDS } from '../market/symbols.ts';
import { TIMEFRAMES } from '../market/timeframes.ts';
import { VOID_REASONS } from '../record/scoring/outcome.ts';
import { alertRuleSchema, ruleChanceSchema } from './alert-rule.ts';

const common = {
  /** The product's own symbol code: BTCUSDT.P ... */
  sym: z.string(),
  marketKind: z.enum(MARKET_KINDS),
};
const ofPrediction = {
  ...common,
  predictionId: z.guid(),
  model: z.enum(MODEL_NAMES),
  /** Length of the forecast's candles; absent: one minute. */
  timeframe: z.optional(z.enum(TIMEFRAMES)),
  /** Opening second of the last real candle; market time. */
  joinS: z.int(),
};

export const alertFactsSchema = z.union([
  z.object({
    kind: z.literal('band-broken'),
    ...ofPrediction,
    /** 1 to 50: the first bar that closed outside since the rule was created. */
    bar: z.int(),
    close: z.number(),
    /** Prices of the 95% band's edges at that bar. */
    lower: z.number(),
    upper: z.number(),
  }),
  z.object({
    kind: z.literal('prediction-resolved'),
    ...ofPrediction,
    voidReason: z.nullable(z.enum(VOID_REASONS)),
    /** Mean absolute errors over the path, basis points of ln; null when void. */
    pathErrorBp: z.nullable(z.number()),
    lastCloseErrorBp: z.nullable(z.number()),
    isReturned: z.boolean(),
  }),
  z.object({
    kind: z.literal('models-disagree'),
    ...common,
    /** Epoch seconds; market time. */
    slotS: z.int(),
    /** Cost of a round trip. A model's move is left out: it would be a forecast that uses no quota. */
    costBp: z.number(),
  }),
  z.object({
    kind: z.literal('chance-reached'),
    ...common,
    ...ruleChanceSchema.shape,
    /** Shares of 1, and the market's price then. */
    chance: z.number(),
    baseline: z.number(),
    livePrice: z.number(),
  }),
  z.object({
    kind: z.literal('market-opens'),
    ...common,
    /** Start of the session, epoch seconds; market time. */
    openedS: z.int(),
  }),
  z.object({
    kind: z.literal('release-due'),
    /** The newest forecast of the market within which it falls. */
    ...ofPrediction,
    /** As a sentence has it: 'US CPI'. */
    release: z.string(),
    /** Epoch seconds; market time. */
    releasedS: z.int(),
    /** How many times wider the forecast's releases make its last bar's band; null: it didn't know of this one. */
    factor: z.nullable(z.number()),
    /** How many releases the forecast knew within its bars. */
    known: z.int(),
    /** Further forecasts of the market within which it falls, and how many of them didn't know of it. */
    others: z.int(),
    unaware: z.int(),
  }),
]);
export type AlertFacts = z.infer<typeof alertFactsSchema>;

export const alertSchema = z.object({
  /** Rises with time; `after` and `upTo` refer to it. */
  id: z.int(),
  facts: alertFactsSchema,
  /** ISO 8601, UTC, by our clock. */
  madeAt: z.string(),
  isRead: z.boolean(),
});
export type Alert = z.infer<typeof alertSchema>;

export const ALERTS_SHOWN = 50;

/** Response of list-alerts. With `{after?: id}` it holds only alerts newer than that one. */
export const alertListSchema = z.object({
  ok: z.literal(true),
  rules: z.array(alertRuleSchema),
  alerts: z.array(alertSchema),
  unread: z.int(),
});
export type AlertList = z.infer<typeof alertListSchema>;
