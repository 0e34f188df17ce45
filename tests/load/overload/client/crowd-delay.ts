/** How late the crowd's own timers fire: above some ten milliseconds the crowd, not the server, makes the times long. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 10;

/** @returns asks for the 99th percentile since the last time, milliseconds */
export function startCrowdDelay(): () => number {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  return () => {
    const p99Ms = delays.percentile(99) / 1e6 - RESOLUTION_MS;
    delays.reset();
    return Math.max(0, Math.round(p99Ms));
  };
}
