/** A tick of the measure, and its precision. */
const TICK_MS = 50;

/**
 * Time in which this process ran. A busy machine may stop it for seconds, which count as one tick: so it bounds from
 * above what should take its timers only so long.
 */
export function runningTime(): { ms(): number } {
  let ticks = 0;
  setInterval(() => {
    ticks += 1;
  }, TICK_MS).unref();
  return { ms: () => ticks * TICK_MS };
}
