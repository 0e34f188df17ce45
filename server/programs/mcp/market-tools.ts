import * as z from 'zod/mini';
import { planWithModel } from '#domain/billing/plans.ts';
import { MODEL_NAMES, PUBLIC_FORECAST } from '#domain/forecast/models.ts';
import { MAX_QUERY_LENGTH } from '#domain/market/catalogue/found-market.ts';
import { TIMEFRAMES } from '#domain/market/timeframes.ts';
import type { MarketCatalogue } from '../../market/catalogue/market-catalogue.ts';
import { latestForecastSchema } from '../readings/forecast-shapes.ts';
import type { LatestForecasts } from '../readings/latest-forecasts.ts';
import { type Tool, tool } from './tool.ts';
import { LIMITS_OF_FORECASTS, modelInput, symbolInput, timeframeInput, wantedOf } from './tool-inputs.ts';

const MOST_MARKETS = 50;
const MARKETS = 20;
/** Candles ahead in an answer; all 50 would fill an assistant's memory without saying more. */
const SHOWN_BARS = [1, 2, 3, 5, 10, 15, 20, 30, 40, 50] as const;

const marketsInput = z.strictObject({
  query: z.optional(
    z
      .string()
      .check(
        z.maxLength(MAX_QUERY_LENGTH),
        z.describe('Part of a code or a name, such as BTC or solana. Default: all'),
      ),
  ),
  limit: z.optional(
    z.int().check(z.minimum(1), z.maximum(MOST_MARKETS), z.describe(`1 to ${MOST_MARKETS}. Default: ${MARKETS}`)),
  ),
});
const marketsOutput = z.object({
  markets: z.array(
    z.object({
      symbol: z.string(),
      label: z.string(),
      name: z.string(),
      exchange: z.string(),
      kind: z.string(),
      status: z.string(),
    }),
  ),
  timeframes: z.array(z.string()),
  models: z.array(z.object({ model: z.string(), plan: z.string() })),
  publicForecast: z.object({ symbol: z.string(), model: z.string() }),
});

export function listMarkets(catalogue: Pick<MarketCatalogue, 'search'>): Tool {
  return tool({
    name: 'list_markets',
    title: 'List markets',
    description:
      'Finds markets by code or name, with the candle lengths and the models that forecast them. `symbol` is what the other tools take. `plan` is the cheapest plan that includes a model. A market in this list is no recommendation to trade it.',
    input: marketsInput,
    output: marketsOutput,
    async run({ input: { query = '', limit = MARKETS }, signal }) {
      const found = await catalogue.search(query.trim(), limit, signal);
      return {
        markets: found.map(({ symbol, name, kind, status }) => ({
          symbol: symbol.sym,
          label: symbol.label,
          name,
          exchange: symbol.exc,
          kind,
          status,
        })),
        timeframes: [...TIMEFRAMES],
        models: MODEL_NAMES.map((model) => ({ model, plan: planWithModel(model) })),
        publicForecast: { symbol: PUBLIC_FORECAST.sym, model: PUBLIC_FORECAST.model },
      };
    },
  });
}

export function getLatestForecast(latest: LatestForecasts): Tool {
  return tool({
    name: 'get_latest_forecast',
    title: 'Latest forecast',
    description: `Returns the newest forecast of a market: the last close, and the 80% and 95% bands of future closes. ${LIMITS_OF_FORECASTS} The forecast of ${PUBLIC_FORECAST.sym} by ${PUBLIC_FORECAST.model} for one-minute candles is open to every key. Any other one must be in your plan, and you must have opened it on the site: this tool never uses up a prediction.`,
    input: z.strictObject({ symbol: symbolInput, model: modelInput, timeframe: timeframeInput }),
    output: latestForecastSchema,
    async run({ input, key, signal }) {
      const { shown } = await latest(key, wantedOf(input), signal);
      const isShown = (bar: number) => SHOWN_BARS.some((one) => one === bar);
      return { ...shown, bands: shown.bands.filter(({ bar }) => isShown(bar)) };
    },
  });
}
