import * as z from 'zod/mini';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import { MARKET_KINDS, type MarketKind } from '#domain/market/symbols.ts';
import { DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import {
  estimateSchema,
  TRACK_PERIODS,
  type TrackPeriod,
  trackSummarySchema,
} from '#domain/record/figures/track-summary.ts';
import { RECORD_ROLES } from '#domain/record/ledger/ledger.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { emptySummary } from '../../record/figures/summarise.ts';
import type { SummaryStore } from '../../record/figures/summary-store.ts';
import type { Reveal } from '../../record/reveal.ts';
import { FORECAST_ID, forecastById } from '../readings/forecast-by-id.ts';
import { forecastByIdSchema } from '../readings/forecast-shapes.ts';
import { type Tool, tool } from './tool.ts';
import { LIMITS_OF_FORECASTS, LIMITS_OF_RECORDS, timeframeInput } from './tool-inputs.ts';

export function getForecast(deps: { database: Database; reveal: Reveal }): Tool {
  return tool({
    name: 'get_forecast',
    title: 'Forecast by id',
    description: `Returns one forecast by its id, with its outcome once that is known. The id is a number of the public record, also as its page names it (12-0a1b2c3d4e5f), or the id of one of your own saved predictions. A record is sealed until its last candle has closed: until then only its hash, key and time are public. ${LIMITS_OF_FORECASTS}`,
    input: z.strictObject({
      id: z
        .string()
        .check(
          z.regex(FORECAST_ID, 'a number of the public record, or the id of a saved prediction'),
          z.describe('Such as 1234, or the id that list_my_predictions returns'),
        ),
    }),
    output: forecastByIdSchema,
    run: ({ input: { id }, key }) => forecastById(deps, key, id),
  });
}

const { market, period, computedMs, counts, sealed } = trackSummarySchema.shape;
const estimate = z.nullable(estimateSchema);
/** The read API returns the others; here they would fill an assistant's memory. */
const modelSchema = z.object({
  model: z.enum(MODEL_NAMES),
  role: z.enum(RECORD_ROLES),
  scored: z.int().check(z.describe('Number of scored forecasts')),
  cover80: estimate.check(z.describe('Share of closes inside the 80% band')),
  cover95: estimate,
  skillEwma: estimate.check(z.describe('Skill over a normal distribution with weighted recent volatility')),
  skillHar: estimate.check(z.describe('Skill over a model of volatility at several horizons (log-HAR)')),
});
const PERIODS = Object.keys(TRACK_PERIODS) as [TrackPeriod, ...TrackPeriod[]];

export function getTrackRecord(deps: {
  summaries: Pick<SummaryStore, 'read'>;
  clock: Clock;
  marketKind: MarketKind;
}): Tool {
  return tool({
    name: 'get_track_record',
    title: 'Track record',
    description: `Returns how the forecasts of the public record came out: per model the share of closes inside the bands, and the skill compared with simple baselines, each with its 95% interval. Shares and skills are fractions of 1. A skill whose interval includes 0 cannot be told from luck. Intervals are null when too few forecasts are scored. ${LIMITS_OF_RECORDS}`,
    input: z.strictObject({
      period: z.optional(z.enum(PERIODS).check(z.describe('Default: 7d'))),
      market: z.optional(
        z.enum(MARKET_KINDS).check(z.describe("Kind of prices that were forecast. Default: this site's own")),
      ),
      timeframe: timeframeInput,
    }),
    output: z.object({
      market,
      period,
      computedMs,
      counts,
      sealed,
      timeframe: z.string(),
      models: z.array(modelSchema),
    }),
    async run({ input: { period: wanted = '7d', market: kind = deps.marketKind, timeframe = DEFAULT_TIMEFRAME } }) {
      const found = await deps.summaries.read(kind, timeframe, wanted);
      const summary = found ?? emptySummary(kind, timeframe, wanted, deps.clock.nowMs());
      return {
        market: summary.market,
        period: summary.period,
        computedMs: summary.computedMs,
        timeframe,
        counts: summary.counts,
        sealed: summary.sealed,
        models: summary.models.map(({ model, role, all }) => {
          const { n: scored, cover80, cover95, skillEwma, skillHar } = all;
          return { model, role, scored, cover80, cover95, skillEwma, skillHar };
        }),
      };
    },
  });
}
