/**
 * Recurring jobs, each of which runs in one server process at a time. A process that finds a job due takes a lease on
 * it in the database, and the lease of a killed process expires. See docs/decisions/020-job-leases.md.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAppError } from '#domain/errors/app-error.ts';
import type { Logger } from '../telemetry/log.ts';
import { step } from '../telemetry/steps.ts';
import type { JobStore } from './job-store.ts';

export interface JobOptions {
  /** Lower-case words separated by dashes or colons; the same in every process. */
  name: string;
  /** From the end of one run to the start of the next, whichever process runs it. */
  periodMs: number;
  /**
   * May request a different time until the next run. Errors are logged, and retried sooner than after a whole period.
   */
  run(signal: AbortSignal): Promise<{ nextInMs: number } | undefined>;
  store: JobStore;
  log: Logger;
  /** A longer run is aborted. Default: one minute. */
  limitMs?: number;
  /** In [0, 1); spreads the processes, so that they do not all request the lease at the same time. */
  random?: () => number;
  /** Longest wait between two checks: how late a killed process's job may be taken over. Default 30 s. */
  checkMs?: number;
}

export interface Job {
  /** Aborts a run in progress and waits for its end. */
  close(): Promise<void>;
}

const LIMIT_MS = 60_000;
const CHECK_MS = 30_000;
const SHORTEST_WAIT_MS = 50;
const FIRST_RETRY_MS = 5000;
/** Share of a wait that is added at random. */
const JITTER = 0.1;

/** Checks immediately, then whenever the job may be due. Never rejects, never runs twice at the same time. */
export function startJob(options: JobOptions): Job {
  const { name, periodMs, run, store, log, limitMs = LIMIT_MS, random = Math.random, checkMs = CHECK_MS } = options;
  const leaseMs = 2 * limitMs;
  const stopping = new AbortController();
  let failures = 0;
  const end = store.begin(name);
  const looping = loop();

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      const waitMs = await check();
      const waits = Math.min(checkMs, Math.max(SHORTEST_WAIT_MS, waitMs)) * (1 + JITTER * random());
      await sleep(waits, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  /** Never rejects. @returns how long to wait before the next check */
  async function check(): Promise<number> {
    const holder = randomUUID();
    try {
      const waitMs = await store.claim(name, holder, leaseMs);
      if (waitMs !== null) return waitMs;
      if (stopping.signal.aborted) {
        // Closed during the claim: a run would miss an abort that already happened.
        await store.release(name, holder);
        return 0;
      }
      return await runOnce(holder);
    } catch (error) {
      // The database may be restarting: the lease expires, and a later check finds the job.
      if (!stopping.signal.aborted) log.warn({ job: name, err: error }, 'a job could not be claimed or released');
      return checkMs;
    }
  }

  async function runOnce(holder: string): Promise<number> {
    let nextInMs = periodMs;
    let failed: string | null = null;
    try {
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(limitMs)]);
      nextInMs = (await step({ kind: 'job', name }, () => run(signal)))?.nextInMs ?? periodMs;
      failures = 0;
    } catch (error) {
      if (stopping.signal.aborted) {
        await store.release(name, holder);
        return 0;
      }
      failed = isAppError(error) ? error.code : error instanceof Error ? error.name : 'unknown';
      nextInMs = retryInMs(error);
      failures += 1;
      log.warn({ job: name, err: error, failures, nextInS: Math.round(nextInMs / 1000) }, 'a job failed');
    }
    await store.finish(name, holder, { nextInMs, error: failed });
    return nextInMs;
  }

  /** Soon at first, then doubling up to the normal period; later only if the source requests it. */
  function retryInMs(error: unknown): number {
    const requestedS = isAppError(error) ? error.details.retryAfterS : undefined;
    const doubledMs = Math.min(periodMs, FIRST_RETRY_MS * 2 ** Math.min(failures, 20));
    return typeof requestedS === 'number' ? Math.max(doubledMs, requestedS * 1000) : doubledMs;
  }

  return {
    async close() {
      stopping.abort();
      await looping;
      end();
    },
  };
}
