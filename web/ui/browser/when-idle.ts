/** Low-priority work, done while the browser is idle. */

/** @param latestMs  runs the work after this long even if the browser is busy. @returns a function that cancels it */
export function whenIdle(work: () => void, latestMs = 1000): () => void {
  // Some browsers don't report idle time.
  if (typeof window.requestIdleCallback !== 'function') {
    const timer = window.setTimeout(work, 0);
    return () => window.clearTimeout(timer);
  }
  const request = window.requestIdleCallback(work, { timeout: latestMs });
  return () => window.cancelIdleCallback(request);
}
