/** Measures this process: its memory, and how late its timers fire. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { OperationsFacts } from '#domain/operations/operations-state.ts';
import type { Clock } from '#domain/time/clock.ts';

export interface ProcessMeter {
  read(): OperationsFacts['process'];
  close(): void;
}

/** Readings cover the last one to two of these periods. */
const PERIOD_MS = 60_000;
const RESOLUTION_MS = 20;
const NS_PER_MS = 1_000_000;
const MB = 1024 * 1024;

export function openProcessMeter({ version, clock }: { version: string; clock: Clock }): ProcessMeter {
  const startedAtMs = clock.nowMs();
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let before = { medianMs: 0, p99Ms: 0, maxMs: 0 };
  const timer = setInterval(() => {
    before = now();
    delays.reset();
  }, PERIOD_MS).unref();

  /** Without the timer's own interval, which the histogram includes. */
  const late = (ns: number) => (Number.isFinite(ns) ? Math.max(0, ns / NS_PER_MS - RESOLUTION_MS) : 0);
  const now = () => ({
    medianMs: late(delays.percentile(50)),
    p99Ms: late(delays.percentile(99)),
    maxMs: delays.count === 0 ? 0 : late(delays.max),
  });

  return {
    read() {
      const { rss, heapUsed } = process.memoryUsage();
      const since = now();
      return {
        version,
        node: process.version,
        startedAtMs,
        rssMb: rss / MB,
        heapUsedMb: heapUsed / MB,
        eventLoop: {
          medianMs: Math.max(before.medianMs, since.medianMs),
          p99Ms: Math.max(before.p99Ms, since.p99Ms),
          maxMs: Math.max(before.maxMs, since.maxMs),
        },
      };
    },
    close() {
      clearInterval(timer);
      delays.disable();
    },
  };
}
