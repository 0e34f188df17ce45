import * as z from 'zod/mini';
import { DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import { type TrackBoard, trackBoardSchema } from '#domain/record/figures/board.ts';
import { callFunction } from '../../platform/calls/functions.ts';

const answerSchema = z.object({ ok: z.literal(true), board: trackBoardSchema });

/** @throws CallError, or Error for an invalid answer */
export async function fetchTrackBoard(timeframe: Timeframe): Promise<TrackBoard> {
  const body = timeframe === DEFAULT_TIMEFRAME ? undefined : { tf: timeframe };
  const answer = answerSchema.safeParse(await callFunction('get-track-board', body));
  if (!answer.success) throw new Error('We couldn’t load the board.', { cause: answer.error });
  return answer.data.board;
}
