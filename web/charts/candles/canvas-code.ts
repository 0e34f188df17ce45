/** The drawing library's code, loaded when the first chart is drawn. Tests load a fake canvas in its place. */
import { pageState } from '../../page-state.ts';
import type { CandleCanvas, CandleCanvasOptions } from './candle-canvas.ts';

interface CanvasCode {
  createCandleCanvas(host: HTMLElement, options: CandleCanvasOptions): CandleCanvas;
}

export const canvasCode = pageState<{ load(): Promise<CanvasCode> }>(() => ({
  load: () => import('./candle-canvas.ts'),
}));
