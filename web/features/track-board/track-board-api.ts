import * as z from 'zod/mini';
import { type TrackBoard, trackBoardSchema } from '#domain/record/figures/board.ts';
import { callFunction } from '../../platform/calls/functions.ts';

const answerSchema = z.object({ ok: z.literal(true), board: trackBoardSchema });

/** @throws CallError, or Error for an invalid answer */
export async function fetchTrackBoard(): Promise<TrackBoard> {
  const answer = answerSchema.safeParse(await callFunction('get-track-board', null));
  if (!answer.success) throw new Error('We couldn’t load the board.', { cause: answer.error });
  return answer.data.board;
}
