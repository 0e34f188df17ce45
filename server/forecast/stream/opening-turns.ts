/**
 * Opens a few streams at the same time. At the turn of a minute thousands may be requested together: without a limit
 * they would hold every connection, and a page that reads one row would wait for all of them.
 */
import { AppError } from '#domain/errors/app-error.ts';
import type { Backlog } from '../../platform/admission/admission.ts';

/**
 * Those that are opened at the same time share two statements, which hold two connections at most
 * (docs/decisions/045-load.md). As separate statements, more than two made all others wait.
 */
const CONCURRENCY = 8;
/**
 * Where the process is the bottleneck, each database call waits for a turn of its loop
 * (docs/decisions/055-admission.md). While no request waits for the database, this many are opened.
 */
const MAX_CONCURRENCY = 64;
/** A request that waited this long must retry. This is rare: the HTTP entry refuses longer waits. */
const MAX_WAIT_MS = 20_000;
/** Weight of the last interval in the mean time between two turns. */
const SMOOTHING = 0.1;

export interface TurnOptions {
  signal: AbortSignal;
  /** Continues after a lost connection: its viewer sees a frozen chart, so it goes before new streams. */
  isResumed?: boolean;
}

export interface OpeningTurns {
  /** Requests without a turn, and the expected wait of another one at the pace of the last ones. */
  backlog(): Backlog;
  /** @throws AppError `database/busy` after a long wait; any error of the work */
  run<T>(work: () => Promise<T>, options: TurnOptions): Promise<T>;
}

/** @param options.isDatabaseFree  true while no request waits for the database: more streams may be opened */
export function openingTurns({
  concurrency = CONCURRENCY,
  maxWaitMs = MAX_WAIT_MS,
  isDatabaseFree = (): boolean => false,
} = {}): OpeningTurns {
  const resumed = new Set<() => void>();
  const others = new Set<() => void>();
  let running = 0;
  let begunMs = 0;
  let intervalMs = 0;

  const isRoom = (): boolean => running < concurrency || (running < MAX_CONCURRENCY && isDatabaseFree());

  /** Measures the time between two turns while others wait. */
  function measureInterval(): void {
    const nowMs = performance.now();
    intervalMs += SMOOTHING * (nowMs - begunMs - intervalMs);
    begunMs = nowMs;
  }

  async function acquire({ signal, isResumed = false }: TurnOptions): Promise<void> {
    signal.throwIfAborted();
    const waiting = isResumed ? resumed : others;
    if (isRoom()) {
      running += 1;
      return;
    }
    if (resumed.size + others.size === 0) begunMs = performance.now();
    await untilGranted(waiting, signal, maxWaitMs);
  }

  function release(): void {
    running -= 1;
    while (isRoom()) {
      const waiting = resumed.size > 0 ? resumed : others;
      const [next] = waiting;
      if (next === undefined) return;
      running += 1;
      measureInterval();
      waiting.delete(next);
      next();
    }
  }

  return {
    backlog() {
      const waiting = resumed.size + others.size;
      return { waiting, expectedMs: waiting * intervalMs };
    },
    async run(work, options) {
      await acquire(options);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}

/** Adds a callback to `waiting`; calling it grants the turn. @throws AppError `database/busy`; the signal's reason */
async function untilGranted(waiting: Set<() => void>, signal: AbortSignal, maxWaitMs: number): Promise<void> {
  const { promise, resolve: grant, reject } = Promise.withResolvers<void>();
  // Leaves the queue immediately: a turn granted afterwards would never be released.
  const withdraw = (reason: unknown): void => {
    waiting.delete(grant);
    reject(reason);
  };
  const onAbort = (): void => withdraw(signal.reason);
  const timer = setTimeout(() => withdraw(new AppError('database/busy')), maxWaitMs);
  signal.addEventListener('abort', onAbort, { once: true });
  waiting.add(grant);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
