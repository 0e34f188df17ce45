/**
 * One line for each step of a start that takes a while: when it began, what happens, how long it usually takes. Whole
 * lines, so that they also read well in a file. Plain JavaScript, because the launcher uses it on whichever Node
 * started npm.
 */

/** The launcher passes the time it started, in epoch milliseconds, so that its steps and the server's count together. */
export const STARTED_AT = 'KAT_STARTED_AT';

/**
 * @param {string} what  such as "Building the site (10 to 30 s)"
 * @param {{ startedAtMs?: number, nowMs?: number }} [times]
 */
export function progressLine(what, { startedAtMs = startMs(), nowMs = Date.now() } = {}) {
  const seconds = Math.max(0, Math.round((nowMs - startedAtMs) / 1000));
  return `${String(seconds).padStart(4)} s  ${what}`;
}

/** @param {string} what */
export function showProgress(what) {
  console.log(progressLine(what));
}

function startMs() {
  const passed = Number(process.env[STARTED_AT]);
  return Number.isFinite(passed) && passed > 0 ? passed : performance.timeOrigin;
}
