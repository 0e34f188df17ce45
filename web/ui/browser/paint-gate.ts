/** Limits drawing to ten times a second. All parts of a page draw in the same frames, because each frame has a cost. */
export const PAINT_EVERY_MS = 100;

export interface PaintGate {
  /** Requests a paint after a change. */
  request(): void;
  stop(): void;
}

export function createPaintGate(paint: () => void): PaintGate {
  let timer: number | null = null;
  let frame: number | null = null;

  function onFrame(): void {
    frame = null;
    paint();
  }

  function onTimer(): void {
    timer = null;
    frame = requestAnimationFrame(onFrame);
  }

  return {
    request() {
      if (timer !== null || frame !== null) return;
      timer = window.setTimeout(onTimer, PAINT_EVERY_MS - (performance.now() % PAINT_EVERY_MS));
    },
    stop() {
      if (timer !== null) window.clearTimeout(timer);
      if (frame !== null) cancelAnimationFrame(frame);
      timer = null;
      frame = null;
    },
  };
}
