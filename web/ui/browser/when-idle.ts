/** Work that nobody waits for, done while the browser has nothing else to do. */

/** @param latestMs  when it is done all the same. @returns the undo */
export function whenIdle(work: () => void, latestMs = 1000): () => void {
  // Some browsers do not tell when they are idle.
  if (typeof window.requestIdleCallback !== 'function') {
    const timer = window.setTimeout(work, 0);
    return () => window.clearTimeout(timer);
  }
  const request = window.requestIdleCallback(work, { timeout: latestMs });
  return () => window.cancelIdleCallback(request);
}
