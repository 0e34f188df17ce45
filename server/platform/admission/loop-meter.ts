import { performance } from 'node:perf_hooks';

export interface LoopWindow {
  /** Share of the time in which the loop was busy, 0 to 1. */
  utilization: number;
}

export interface LoopMeter {
  last(): LoopWindow;
  close(): void;
}

const WINDOW_MS = 250;

/** @param onWindow  called with each window as it ends */
export function openLoopMeter(onWindow: (window: LoopWindow) => void, windowMs = WINDOW_MS): LoopMeter {
  let before = performance.eventLoopUtilization();
  let last: LoopWindow = { utilization: 0 };
  let timer = setTimeout(end, windowMs).unref();

  function end(): void {
    const now = performance.eventLoopUtilization();
    last = { utilization: performance.eventLoopUtilization(now, before).utilization };
    before = now;
    timer = setTimeout(end, windowMs).unref();
    onWindow(last);
  }

  return { last: () => last, close: () => clearTimeout(timer) };
}
