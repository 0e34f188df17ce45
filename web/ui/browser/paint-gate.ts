/** Limits drawing to ten times a second, each in the browser's next frame. */
export const PAINT_EVERY_MS = 100;

export interface PaintGate {
  /** Requests a paint after a change. */
  request(): void;
  stop(): void;
}

export function createPaintGate(paint: () => void): PaintGate {
  let paintedAtMs = Number.NEGATIVE_INFINITY;
  let timer: number | null = null;
  let frame: number | null = null;

  function onFrame(): void {
    frame = null;
    paintedAtMs = performance.now();
    paint();
  }

  function onTimer(): void {
    timer = null;
    frame = requestAnimationFrame(onFrame);
  }

  return {
    request() {
      if (timer !== null || frame !== null) return;
      const waitMs = paintedAtMs + PAINT_EVERY_MS - performance.now();
      if (waitMs > 0) timer = window.setTimeout(onTimer, waitMs);
      else onTimer();
    },
    stop() {
      if (timer !== null) window.clearTimeout(timer);
      if (frame !== null) cancelAnimationFrame(frame);
      timer = null;
      frame = null;
    },
  };
}
