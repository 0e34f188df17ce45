import * as z from 'zod/mini';
import { createPredictionSchema } from '../forecast/create-prediction.ts';
import { predictionRowSchema } from '../forecast/prediction.ts';
import { PREDICTION_BARS } from '../forecast/window.ts';
import { TIMEFRAMES } from '../market/timeframes.ts';
import { trackBoardSchema } from '../record/figures/board.ts';
import { predictionHistorySchema } from '../record/history/prediction-history.ts';
import { functionContract } from './function-contract.ts';

const done = z.literal(true);
/** -1: no limit. */
const left = z.nullable(z.int());

export const PREDICTION_FUNCTIONS = {
  'get-quota': functionContract({
    body: z.unknown(),
    answer: z.object({ ok: done, unlimited: z.optional(done), remaining_daily: left, remaining_monthly: left }),
    refusals: [],
    acceptsGet: true,
    example: null,
    docs: {
      sends: '',
      gets: '`{ok, remaining_daily, remaining_monthly}`: today (UTC) and in this billing period, -1 if the plan has no limit; for an admin `unlimited` is true and both are null',
    },
  }),
  'list-predictions': functionContract({
    body: z.unknown(),
    answer: predictionHistorySchema,
    refusals: [],
    acceptsGet: true,
    example: null,
    docs: {
      sends: '',
      gets: '`{ok, rows, total}`: the caller’s newest 300 saved predictions without their candles, each with how many of its 50 closes were inside its bands and the errors of path and last close; `total` counts all',
    },
  }),
  'create-prediction': functionContract({
    body: createPredictionSchema,
    answer: z.object({ ok: done, row: predictionRowSchema }),
    refusals: [
      ...(['prediction/wrong-length', 'prediction/not-streamed'] as const),
      ...(['prediction/admin-saves-nothing', 'forecast/model-locked'] as const),
    ],
    maxBytes: 1024 * 1024,
    example: {
      model: 'kat1',
      cryptocurrency: 'BTC',
      timeframe: '1min',
      data: Array.from({ length: PREDICTION_BARS }, (_, i) => {
        return { time: 1_800_000_000 + i * 60, open: 100, high: 101, low: 99, close: 100 };
      }),
    },
    docs: {
      sends:
        '`{model, cryptocurrency, timeframe, data}`: backend model name, picker label, `1min`, `5min` or `15min` as streamed, 200 candles',
      gets: '`{ok: true, row}`. Repeating the same call returns the same row and costs nothing',
      refused: { 'prediction/not-streamed': 'other candles than this user was sent' },
    },
  }),
};

export const BOARD_FUNCTIONS = {
  'get-track-board': functionContract({
    body: z.optional(z.strictObject({ tf: z.optional(z.enum(TIMEFRAMES)) })),
    answer: z.object({ ok: done, board: trackBoardSchema }),
    refusals: [],
    acceptsGet: true,
    example: { tf: '5min' },
    docs: {
      sends: '`{tf}`, or nothing for one minute',
      gets: '`{ok: true, board}`: the caller’s saved predictions of Bitcoin, the crowd’s votes and the three models over the last 7 and 30 days (`domain/record/figures/board.ts` names every field)',
    },
  }),
};
