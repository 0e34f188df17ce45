import type { LinePoint } from '../line/line-layout.ts';
import { roundTicks } from './frame/scale-ticks.ts';

/** CSS pixels, and the time span that they show. */
export interface OverlaySize {
  width: number;
  height: number;
  fromS: number;
  toS: number;
  /** Of the text. */
  scale: number;
}

export interface OverlayLayout {
  left: number;
  right: number;
  top: number;
  bottom: number;
  x(timeS: number): number;
  y(percent: number): number;
  overY(value: number): number;
  ticks: number[];
}

/** Room for '100%' at the left, and for a price at the right. */
const PAD = { left: 44, right: 58, top: 10, bottom: 24 };
/** Share of the height that the overlay leaves free above and below. */
const AIR = 0.08;

export function overlayLayout(
  overlay: readonly LinePoint[],
  { width, height, fromS, toS, scale: textScale }: OverlaySize,
): OverlayLayout {
  const left = PAD.left * textScale;
  const right = Math.max(left + 1, width - PAD.right * textScale);
  const bottom = height - PAD.bottom * textScale;
  const across = scale([fromS, toS], [left, right]);
  const values = overlay.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const air = (bottom - PAD.top) * AIR;
  // A flat line is centred.
  const span: [number, number] = low === high ? [low - 1, high + 1] : [low, high];
  const ticks = overlay.length === 0 ? [] : roundTicks(low, high, 3).filter((tick) => tick >= low && tick <= high);
  return {
    left,
    right,
    top: PAD.top,
    bottom,
    x: (timeS) => Math.min(right, Math.max(left, across(timeS))),
    y: scale([0, 100], [bottom, PAD.top]),
    overY: scale(span, [bottom - air, PAD.top + air]),
    ticks,
  };
}

type Pair = readonly [number, number];

/** Rounded to a hundredth of a pixel. */
function scale([a, b]: Pair, [start, end]: Pair): (value: number) => number {
  return (value) => Math.round((start + ((value - a) / (b - a || 1)) * (end - start)) * 100) / 100;
}

export function linePath(points: readonly LinePoint[], x: (s: number) => number, y: (value: number) => number): string {
  return points.map(({ timeS, value }, i) => `${i === 0 ? 'M' : 'L'}${x(timeS)} ${y(value)}`).join('');
}

/** The line of the shares, broken where a share is missing, and the area between it and the middle. */
export function sharePaths(
  points: readonly { timeS: number; share: number | null }[],
  { x, y }: OverlayLayout,
): { line: string; area: string } {
  const runs: LinePoint[][] = [[]];
  for (const { timeS, share } of points) {
    if (share === null) runs.push([]);
    else runs.at(-1)?.push({ timeS, value: share });
  }
  const lines = runs.filter((run) => run.length > 1);
  const area = (run: readonly LinePoint[]) =>
    `${linePath(run, x, y)}L${x(run.at(-1)?.timeS ?? 0)} ${y(50)}H${x(run[0]?.timeS ?? 0)}Z`;
  return { line: lines.map((run) => linePath(run, x, y)).join(''), area: lines.map(area).join('') };
}
