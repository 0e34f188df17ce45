import type { RefObject } from 'react';
import { whenIdle } from '../../ui/browser/when-due.ts';
import type { ChartGuest } from '../overlays/price-scale.ts';
import { onThemeChange } from '../palette.ts';
import type { CandleCanvas, ChartSize } from './candle-canvas.ts';
import type { CandleFeed } from './candle-feed.ts';
import { canvasCode } from './canvas-code.ts';

interface CanvasSetup {
  decimals: number;
  horizonBars: number;
  isOutcomeCandles: boolean;
  onPoint(timeS: number | null): void;
  onView(isWhole: boolean): void;
  isGhostShown(): boolean;
  shownBars(): number | null;
  guest(): ChartGuest | null;
}

/** Loads the library, draws, and follows feed, theme and size until `signal` aborts, with pauses for the page. */
export async function mountCanvas(
  host: HTMLElement,
  feed: CandleFeed,
  setup: CanvasSetup,
  signal: AbortSignal,
  canvasRef: RefObject<CandleCanvas | null>,
): Promise<void> {
  await idle();
  if (signal.aborted) return;
  const { createCandleCanvas } = await canvasCode().load();
  await idle();
  if (signal.aborted) return;
  const isMotionReduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
  // In a hidden tab, which draws no frame, the chart needs another size later to draw immediately.
  const size = document.hidden ? {} : { size: sizeOf(host) };
  const canvas = createCandleCanvas(host, { ...setup, ...size, isMotionReduced });
  signal.addEventListener('abort', () => {
    canvasRef.current = null;
    canvas.destroy();
  });
  // The library draws its empty axes in this frame; the candles are drawn in a later one.
  await frame();
  await idle();
  if (signal.aborted) return;
  canvasRef.current = canvas;
  canvas.resize(host.clientWidth, host.clientHeight);
  canvas.showGhost(setup.isGhostShown());
  canvas.reset(feed.series());
  canvas.attach(setup.guest());
  const stopFeed = feed.listen({
    onReset: (series) => canvas.reset(series),
    onAppend: (candle, series) => canvas.append(candle, series),
    onClose: (series) => canvas.close(series),
    onMove: (series) => canvas.move(series),
    onUsual: (series) => canvas.showUsual(series),
  });
  const stopTheme = onThemeChange(() => canvas.repaint());
  const observer = new ResizeObserver(() => canvas.resize(host.clientWidth, host.clientHeight));
  observer.observe(host);
  signal.addEventListener('abort', () => {
    stopFeed();
    stopTheme();
    observer.disconnect();
  });
}

function sizeOf({ clientWidth, clientHeight }: HTMLElement): ChartSize {
  return { width: Math.max(1, clientWidth), height: Math.max(1, clientHeight) };
}

const frame = () =>
  document.hidden ? null : new Promise<void>((resolve) => void requestAnimationFrame(() => resolve()));

/** Waits for idle time, at most 250 ms: the user is waiting for the candles. */
const idle = () => new Promise<void>((resolve) => void whenIdle(resolve, 250));
