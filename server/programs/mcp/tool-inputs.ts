/** Parameters that several tools take, and what every answer of theirs cannot do. */
import * as z from 'zod/mini';
import { MODEL_NAMES, PUBLIC_FORECAST } from '#domain/forecast/models.ts';
import { DEFAULT_TIMEFRAME, TIMEFRAMES } from '#domain/market/timeframes.ts';

const { optional, describe } = z;

/** In the description of every tool that answers with a forecast. */
export const LIMITS_OF_FORECASTS =
  'A forecast says how far the price may move, never in which direction: its bands lie evenly around the last close. About one close in five falls outside the 80% band, and one in twenty outside the 95% band. It knows when releases of figures are scheduled, not what they will say, and no other news. It is no advice to buy or sell.';

/** Of a record, of any figure about it. */
export const LIMITS_OF_RECORDS = 'Past figures do not promise future ones. They are no advice to buy or sell.';

export const symbolInput = optional(
  z
    .string()
    .check(
      z.regex(/^[A-Z0-9.!]{1,20}$/, 'a code such as BTCUSDT.P; list_markets finds it'),
      describe(`Code of the market, as list_markets returns it. Default: ${PUBLIC_FORECAST.sym}`),
    ),
);
export const modelInput = optional(
  z
    .enum(MODEL_NAMES)
    .check(describe(`Default: ${PUBLIC_FORECAST.model}. Which models you may read depends on your plan`)),
);
export const timeframeInput = optional(
  z.enum(TIMEFRAMES).check(describe(`Length of one candle. Default: ${DEFAULT_TIMEFRAME}`)),
);

/** A number of candles ahead. */
export const barInput = optional(
  z.int().check(z.minimum(1), z.maximum(50), describe('Number of candles ahead, 1 to 50. Default: 50')),
);

export function wantedOf(input: {
  symbol?: string | undefined;
  model?: (typeof MODEL_NAMES)[number] | undefined;
  timeframe?: (typeof TIMEFRAMES)[number] | undefined;
}) {
  const { symbol = PUBLIC_FORECAST.sym, model = PUBLIC_FORECAST.model, timeframe = DEFAULT_TIMEFRAME } = input;
  return { symbol, model, timeframe };
}
