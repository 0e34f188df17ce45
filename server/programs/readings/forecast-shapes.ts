/** Forecasts as programs get them: bands as prices, times as ISO 8601. The same for a live, a saved and a sealed one. */
import * as z from 'zod/mini';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import type { ForecastBand } from '#domain/forecast/quantiles.ts';
import { MARKET_KINDS } from '#domain/market/symbols.ts';
import { barSecondsOf, TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';

const describe = z.describe;
const isoTime = z.iso.datetime();
const price = z.number();

const bandBarSchema = z.object({
  bar: z.int().check(describe('Number of the forecast candle, from 1 to 50')),
  closesAt: isoTime,
  lower80: price.check(describe('The model expects 80% of closes of this candle between lower80 and upper80')),
  upper80: price,
  lower95: price,
  upper95: price,
});
export type BandBar = z.infer<typeof bandBarSchema>;

const common = {
  symbol: z.string(),
  model: z.enum(MODEL_NAMES),
  modelVersion: z.nullable(z.string()),
  timeframe: z.enum(TIMEFRAMES).check(describe('Length of one candle')),
  market: z
    .nullable(z.enum(MARKET_KINDS))
    .check(describe('Kind of prices: live, replayed from the past, or simulated')),
  issuedAt: isoTime,
};

export const releasesSchema = z.object({
  list: z
    .array(z.object({ at: isoTime, kind: z.string(), title: z.string(), name: z.string() }))
    .check(describe('Scheduled releases within the forecast that widen its bands')),
  widthFactor: z.number().check(describe('How many times wider they make the band at the last bar; 1 without any')),
  isComplete: z
    .boolean()
    .check(describe('false: the calendar could not be read, so that the bands may not know of a release')),
});

export const latestForecastSchema = z.object({
  ...common,
  label: z.string(),
  access: z
    .enum(['public', 'opened', 'admin'])
    .check(describe('Why you may read it: it is public, you opened it on the site, or you are an admin')),
  lastClose: price,
  firstBarOpensAt: isoTime,
  releases: z.nullable(releasesSchema).check(describe('null: a saved prediction stored none')),
  bands: z.array(bandBarSchema),
});
export type LatestShown = z.infer<typeof latestForecastSchema>;

export const forecastByIdSchema = z.object({
  ...common,
  id: z.string(),
  owner: z.enum(['house', 'you']).check(describe("The site's public record, or your own saved predictions")),
  state: z
    .enum(['sealed', 'waiting', 'known', 'void'])
    .check(describe('sealed: content not public yet. waiting: outcome not known yet. void: not scored')),
  voidReason: z.nullable(z.string()),
  opensAt: z.nullable(isoTime).check(describe('Moment at which a sealed forecast becomes readable')),
  hash: z.nullable(z.string()).check(describe('SHA-256 of the text in the public record, published at issue')),
  lastClose: z.nullable(price),
  bands: z.array(bandBarSchema),
  outcome: z.array(
    z.object({
      bar: z.int(),
      close: price,
      isInside80: z.nullable(z.boolean()),
      isInside95: z.nullable(z.boolean()),
    }),
  ),
});
export type ForecastById = z.infer<typeof forecastByIdSchema>;

/** Whole seconds. */
export function isoOf(epochS: number): string {
  return `${new Date(epochS * 1000).toISOString().slice(0, 19)}Z`;
}

/** @param firstBarS opening second of bar 1 @param bars default: all of the band's */
export function bandBars(
  band: ForecastBand,
  { firstBarS, timeframe }: { firstBarS: number; timeframe: Timeframe },
  bars: readonly number[] = band.lower80.map((_, i) => i + 1),
): BandBar[] {
  return bars.flatMap((bar) => {
    const [lower80, upper80, lower95, upper95] = [band.lower80, band.upper80, band.lower95, band.upper95].map(
      (edge) => edge[bar - 1],
    );
    const isWhole = lower80 !== undefined && upper80 !== undefined && lower95 !== undefined && upper95 !== undefined;
    const closesAt = isoOf(firstBarS + bar * barSecondsOf(timeframe));
    return isWhole ? [{ bar, closesAt, lower80, upper80, lower95, upper95 }] : [];
  });
}
