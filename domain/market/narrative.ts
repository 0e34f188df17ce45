/** A path is one draw of many, so the text describes only this path and promises nothing. */
import { formatPrice, percentChange } from '../format/price.ts';

/** The last real close and the 50 forecast ones. */
export const PATH_CLOSES = 51;
export const NEEDLE_MAX_DEG = 70;
/** A move of this many per cent brings the needle to its limit (R-HOME-3). */
const FULL_MOVE_PERCENT = 0.3;
/** Moves below this are small, whatever their halves do (R-HOME-5). */
const SMALL_MOVE_PERCENT = 0.1;
export const WAITING = 'Waiting…';

/** large-a: up; large-b: down; large-c: the halves go opposite ways. */
export type NarrativeState = 'small' | 'large-a' | 'large-b' | 'large-c';

export interface PathReading {
  state: NarrativeState;
  /** First close to last, per cent. */
  movePercent: number;
  /** First close to the middle one, and from there to the last, per cent of where each began. */
  halvesPercent: readonly [number, number];
  /** Positive: up. */
  needleDeg: number;
}

/** @param closes  oldest first; the last 51 count. @returns null for fewer, or when one is not a valid price */
export function readPath(closes: readonly number[]): PathReading | null {
  const path = closes.slice(-PATH_CLOSES);
  const [first, middle, last] = [path[0], path[(PATH_CLOSES - 1) / 2], path.at(-1)];
  const isWhole = path.length === PATH_CLOSES && path.every((close) => Number.isFinite(close) && close > 0);
  if (!isWhole || first === undefined || middle === undefined || last === undefined) return null;
  const movePercent = percentFrom(first, last);
  const halvesPercent = [percentFrom(first, middle), percentFrom(middle, last)] as const;
  return { state: stateOf(movePercent, halvesPercent), movePercent, halvesPercent, needleDeg: needleOf(movePercent) };
}

function percentFrom(from: number, to: number): number {
  return ((to - from) / from) * 100;
}

function needleOf(movePercent: number): number {
  const degrees = (movePercent / FULL_MOVE_PERCENT) * NEEDLE_MAX_DEG;
  return Math.min(NEEDLE_MAX_DEG, Math.max(-NEEDLE_MAX_DEG, degrees));
}

function stateOf(movePercent: number, [first, second]: readonly [number, number]): NarrativeState {
  if (Math.abs(movePercent) < SMALL_MOVE_PERCENT) return 'small';
  if (Math.sign(first) * Math.sign(second) < 0) return 'large-c';
  return movePercent > 0 ? 'large-a' : 'large-b';
}

export interface BandAtEnd {
  lower80: number;
  upper80: number;
}

/** @param band  band at the path's end; null: unknown, so the text leaves it out */
export function narrativeText(reading: PathReading, band: BandAtEnd | null, decimals: number): string {
  const moves = describePath(reading);
  if (band === null) return moves;
  const [low, high] = [band.lower80, band.upper80].map((price) => formatPrice(price, decimals));
  return `${moves} By then, the model’s 80% band runs from ${low} to ${high}.`;
}

function describePath({ state, movePercent, halvesPercent }: PathReading): string {
  const [whole, first, second] = [movePercent, ...halvesPercent].map((percent) => percentChange(percent));
  switch (state) {
    case 'small':
      return `This path barely moves: ${whole} in 50 minutes.`;
    case 'large-a':
      return `This path rises: ${whole} in 50 minutes.`;
    case 'large-b':
      return `This path falls: ${whole} in 50 minutes.`;
    case 'large-c':
      return `This path turns: ${first} in its first half, ${second} in its second, ${whole} overall.`;
  }
}
