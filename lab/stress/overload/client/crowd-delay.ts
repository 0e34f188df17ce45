/** How late the crowd's timers fire: above some ten milliseconds the crowd, not the server, causes long times. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 10;

export interface CrowdDelay {
  crowdDelayP99Ms: number;
  crowdDelayWorstMs: number;
}

/** @returns a function for the figures since its last call */
export function startCrowdDelay(): () => CrowdDelay {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  const inMs = (ns: number): number => Math.max(0, Math.round(ns / 1e6 - RESOLUTION_MS));
  return () => {
    const figures = { crowdDelayP99Ms: inMs(delays.percentile(99)), crowdDelayWorstMs: inMs(delays.max) };
    delays.reset();
    return figures;
  };
}
