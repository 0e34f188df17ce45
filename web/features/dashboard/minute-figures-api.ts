/** Beside the shared forecast: the range that past volatility alone predicts, and one chance with and without a model. */
import * as z from 'zod/mini';
import type { ChanceAnswer } from '#domain/chances/chance-messages.ts';
import { PUBLIC_FORECAST } from '#domain/forecast/models.ts';
import { usualRangeSchema } from '#domain/forecast/ranges/usual-range.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import { fetchJson } from '../../platform/calls/fetch-json.ts';
import { routeUrl } from '../../platform/calls/route-url.ts';

export interface MinuteFigures {
  lastClose: number;
  /** The 80% range of the close in 50 minutes, without a model. */
  usual: { lower: number; upper: number };
  /** That this close is above the last one; null: there is no chance now. */
  higher: { chance: number; baseline: number } | null;
}

/** Only what is shown: the whole schema is in a part of /kat, which would grow if it were shared. */
const chanceSchema: z.ZodMiniType<Pick<ChanceAnswer, 'chance' | 'baseline'>> = z.object({
  chance: z.number().check(z.gt(0), z.lt(1)),
  baseline: z.number().check(z.gt(0), z.lt(1)),
});
const FAILURE = { code: 'market', message: 'We couldn’t load the usual range.' };

/** @throws CallError without a usual range; the signal's reason */
export async function fetchMinuteFigures(signal: AbortSignal): Promise<MinuteFigures> {
  const { exc, sym, model } = PUBLIC_FORECAST;
  const { lastClose, lower80, upper80 } = await fetchJson(routeUrl('/forecast/usual', { exc, sym }), {
    signal,
    failure: FAILURE,
    read: (body) => usualRangeSchema.parse(body),
  });
  const usual = { lower: lower80.at(-1) ?? lastClose, upper: upper80.at(-1) ?? lastClose };
  const posed = { kind: 'above', price: `${lastClose}`, bar: `${HORIZON_BARS}` };
  const market = { symbol: sym, model, timeframe: DEFAULT_TIMEFRAME };
  const higher = await fetchJson(`/chances?${new URLSearchParams({ ...market, ...posed })}`, {
    signal,
    failure: FAILURE,
    read: (body) => z.parse(chanceSchema, body),
  }).catch(() => {
    signal.throwIfAborted();
    // Chances are optional: a market that is closed, or a forecast that failed, has none.
    return null;
  });
  return { lastClose, usual, higher };
}
