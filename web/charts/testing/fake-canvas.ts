/** A canvas that draws nothing, for tests of what stands around a chart. It remembers whether the ghost was asked for. */
import { vi } from 'vitest';
import type { CandleCanvas } from '../candle-canvas.ts';

export const showGhost = vi.fn<(isShown: boolean) => void>();

export function createCandleCanvas(): CandleCanvas {
  const nothing = () => undefined;
  return {
    reset: nothing,
    append: nothing,
    point: nothing,
    placeOf: () => null,
    repaint: nothing,
    resize: nothing,
    destroy: nothing,
    showGhost,
  };
}
