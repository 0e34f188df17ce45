/** How busy the event loop is: how much of the time it works, and how late its timers are, over short windows. */
import { performance } from 'node:perf_hooks';

export interface LoopWindow {
  /** Share of the time in which the loop was not waiting for anything, 0 to 1. */
  utilization: number;
  /** How late the timer fired that ends the window, milliseconds: so long does an event wait for its turn. */
  lateMs: number;
}

export interface LoopMeter {
  /** The last whole window. */
  last(): LoopWindow;
  close(): void;
}

const WINDOW_MS = 250;

/** @param onWindow  hears of each window as it ends */
export function openLoopMeter(onWindow: (window: LoopWindow) => void, windowMs = WINDOW_MS): LoopMeter {
  let before = performance.eventLoopUtilization();
  let dueMs = performance.now() + windowMs;
  let last: LoopWindow = { utilization: 0, lateMs: 0 };
  let timer = setTimeout(end, windowMs).unref();

  function end(): void {
    const nowMs = performance.now();
    const now = performance.eventLoopUtilization();
    last = {
      utilization: performance.eventLoopUtilization(now, before).utilization,
      lateMs: Math.max(0, nowMs - dueMs),
    };
    before = now;
    dueMs = nowMs + windowMs;
    timer = setTimeout(end, windowMs).unref();
    onWindow(last);
  }

  return { last: () => last, close: () => clearTimeout(timer) };
}
