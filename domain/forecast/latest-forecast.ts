/** GET /forecast/latest: the shared Bobcat forecast of the current minute, which the home page draws. */
import * as z from 'zod/mini';
import { candleSchema } from '../market/candle.ts';
import { MARKET_KINDS } from '../market/symbols.ts';
import { MODEL_NAMES } from './models.ts';
import { forecastReleasesSchema } from './releases/forecast-releases.ts';
import { HISTORY_BARS, HORIZON_BARS } from './window.ts';

const edge = z.array(z.number().check(z.positive())).check(z.maxLength(HORIZON_BARS));

/** Checks what a chart needs: time rises by whole minutes to the join and across it; the band matches the path. */
export const latestForecastSchema = z
  .object({
    sym: z.string(),
    label: z.string(),
    model: z.enum(MODEL_NAMES),
    modelVersion: z.string(),
    /** Opening second of the last real candle. */
    t0: z.int(),
    lastClose: z.number().check(z.positive()),
    issuedAtMs: z.number(),
    marketKind: z.enum(MARKET_KINDS),
    /** Complete candles, oldest first; 150 unless the venue has fewer. */
    history: z.array(candleSchema).check(z.minLength(1), z.maxLength(HISTORY_BARS)),
    /** 50 candles after t0: one plausible path. */
    path: z.array(candleSchema).check(z.maxLength(HORIZON_BARS)),
    /** Absent: nothing is released until its last bar closes. */
    releases: z.optional(forecastReleasesSchema),
    band: z.object({ lower80: edge, upper80: edge, lower95: edge, upper95: edge }),
  })
  .check(
    z.refine(isJoined, 'history ends at t0 and the path follows it'),
    z.refine(isBandOfPath, 'the band has an edge for each candle of the path'),
  );
export type LatestForecast = z.infer<typeof latestForecastSchema>;

interface Timed {
  t0: number;
  history: readonly { time: number }[];
  path: readonly { time: number }[];
}

function isJoined({ t0, history, path }: Timed): boolean {
  const times = [...history, ...path].map(({ time }) => time);
  return history.at(-1)?.time === t0 && times.every((time, i) => i === 0 || time > (times[i - 1] ?? 0));
}

function isBandOfPath({ path, band }: { path: readonly unknown[]; band: Record<string, readonly number[]> }): boolean {
  return Object.values(band).every(({ length }) => length === path.length);
}
