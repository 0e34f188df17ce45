import * as z from 'zod/mini';
import { watchedPairSchema } from '#domain/watchlist/watchlist.ts';
import type { Database } from '../../platform/database/database.ts';
import { fromSaved } from '../readings/forecast-by-id.ts';
import { forecastByIdSchema } from '../readings/forecast-shapes.ts';
import { ownPredictions } from '../readings/own-prediction-store.ts';
import { ownWatchlist } from '../readings/own-watchlist-store.ts';
import { predictionCursor } from '../readings/prediction-cursor.ts';
import { type Tool, tool } from './tool.ts';
import { LIMITS_OF_FORECASTS } from './tool-inputs.ts';

const MOST_PREDICTIONS = 20;
const PREDICTIONS = 5;
/** Of 50; get_forecast returns the others. */
const LISTED_BARS = [1, 15, 30, 50];

export function listMyPredictions(database: Database): Tool {
  return tool({
    name: 'list_my_predictions',
    title: 'My predictions',
    description: `Returns your own saved predictions, newest first, with their bands and outcomes at candles 1, 15, 30 and 50; get_forecast returns all 50. Predictions of other users cannot be read. ${LIMITS_OF_FORECASTS}`,
    input: z.strictObject({
      limit: z.optional(
        z
          .int()
          .check(
            z.minimum(1),
            z.maximum(MOST_PREDICTIONS),
            z.describe(`1 to ${MOST_PREDICTIONS}. Default: ${PREDICTIONS}`),
          ),
      ),
      cursor: z.optional(predictionCursor.check(z.describe('`next` of the page before'))),
    }),
    output: z.object({
      predictions: z.array(forecastByIdSchema),
      next: z.nullable(z.string()).check(z.describe('Cursor of the next page; null on the last one')),
    }),
    async run({ input: { limit = PREDICTIONS, cursor = null }, key }) {
      const { predictions, next } = await ownPredictions(database, key, { span: null, cursor, limit });
      const isListed = ({ bar }: { bar: number }) => LISTED_BARS.includes(bar);
      const shown = predictions.flatMap((saved) => fromSaved(saved) ?? []);
      return {
        predictions: shown.map((one) => ({
          ...one,
          bands: one.bands.filter(isListed),
          outcome: one.outcome.filter(isListed),
        })),
        next,
      };
    },
  });
}

export function listMyWatchlist(database: Database): Tool {
  return tool({
    name: 'list_my_watchlist',
    title: 'My watchlist',
    description:
      'Returns the markets and candle lengths of your own watchlist, in your order. It holds no prices and no forecasts, and says nothing about what to trade.',
    input: z.strictObject({}),
    output: z.object({ pairs: z.array(watchedPairSchema) }),
    run: async ({ key }) => ({ pairs: await ownWatchlist(database, key) }),
  });
}
