/** Data of the events that programs receive. */
import * as z from 'zod/mini';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import { MARKET_KINDS } from '#domain/market/symbols.ts';
import { TIMEFRAMES } from '#domain/market/timeframes.ts';
import { RECORD_ROLES } from '#domain/record/ledger/ledger.ts';

const common = {
  /** For /forecasts/{id}. */
  id: z.string(),
  symbol: z.string(),
  model: z.enum(MODEL_NAMES),
  timeframe: z.enum(TIMEFRAMES),
  market: z.enum(MARKET_KINDS),
};

export const issuedSchema = z.object({
  ...common,
  modelVersion: z.string(),
  role: z.enum(RECORD_ROLES),
  issuedAt: z.iso.datetime(),
  /** When its content becomes public. */
  opensAt: z.iso.datetime(),
  /** SHA-256 of its text. */
  hash: z.string(),
});
export type IssuedEvent = z.infer<typeof issuedSchema>;

export const outcomeSchema = z.object({
  ...common,
  owner: z.enum(['house', 'you']),
  state: z.enum(['known', 'void']),
  voidReason: z.nullable(z.string()),
});
export type OutcomeEvent = z.infer<typeof outcomeSchema>;

export const EVENT_SHAPES = {
  'forecast-issued': issuedSchema,
  'outcome-known': outcomeSchema,
  /** First in each stream. Where too much was missed, events before this time are left out: read /records for them. */
  ready: z.object({ missedUntil: z.nullable(z.iso.datetime()) }),
};
