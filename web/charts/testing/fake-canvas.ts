/** A canvas that draws nothing, for tests of what stands around a chart. It remembers whether the ghost was asked for. */
import { vi } from 'vitest';
import type { CandleCanvas, ChartPlace } from '../candle-canvas.ts';

export const showGhost = vi.fn<(isShown: boolean) => void>();
/** Where every candle stands; nowhere unless a test says so. */
export const placeOf = vi.fn<() => ChartPlace | null>(() => null);

export function createCandleCanvas(): CandleCanvas {
  const nothing = () => undefined;
  return {
    reset: nothing,
    append: nothing,
    point: nothing,
    placeOf,
    repaint: nothing,
    resize: nothing,
    destroy: nothing,
    showGhost,
  };
}
