/** Whether forecasts of one slot point in different directions, each further than a round trip costs (R-ALERT-3). */
import type { ModelName } from '../forecast/models.ts';

/** Signed moves drawn at bar 50, basis points of ln, for the models that forecast the slot. */
export type DrawnMoves = Readonly<Partial<Record<ModelName, number>>>;

/** Below the cost, a drawn direction is no more than noise, and no one could act on it. */
export function isDisagreement(movesBp: DrawnMoves, costBp: number): boolean {
  const moves = Object.values(movesBp);
  return moves.some((moveBp) => moveBp > costBp) && moves.some((moveBp) => moveBp < -costBp);
}
