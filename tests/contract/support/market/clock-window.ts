import { setTimeout as sleep } from 'node:timers/promises';

/** How long a test takes to get the chances of the window that is running, on a busy machine. */
const NEEDED_MS = 10_000;
const MINUTE_MS = 60_000;
/** By then the candle before it is there. */
const BEGUN_MS = 1000;

/** A clock window has no chance in its last second: near its end, waits until the next one has begun. */
export async function untilWindowLasts(minutes: number): Promise<void> {
  const leftMs = minutes * MINUTE_MS - (Date.now() % (minutes * MINUTE_MS));
  if (leftMs < NEEDED_MS) await sleep(leftMs + BEGUN_MS);
}
