/** When forecasts of one slot point to different sides far enough to matter: each further than a round trip costs. */
import type { ModelName } from '../forecast/models.ts';

/** Drawn moves at bar 50, basis points of ln with their sign, of the models that forecast the slot. */
export type DrawnMoves = Readonly<Partial<Record<ModelName, number>>>;

/** Below the cost a drawn side is no more than noise, and nobody could act on it. */
export function isDisagreement(movesBp: DrawnMoves, costBp: number): boolean {
  const moves = Object.values(movesBp);
  return moves.some((moveBp) => moveBp > costBp) && moves.some((moveBp) => moveBp < -costBp);
}
