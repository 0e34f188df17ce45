/**
 * Streams are opened a few at a time. As a minute turns, thousands may be asked for at once, and each takes the database
 * for some milliseconds: all at once they would hold every connection, and a page that reads one row would wait behind
 * the last of them.
 */
import { AppError } from '#domain/errors/app-error.ts';

/**
 * One waits for the database while the process works on the other. More of them open no stream sooner: with five at once the
 * last of a thousand waited as long, and everybody else longer (docs/decisions/045-load.md).
 */
const AT_ONCE = 2;
/**
 * Where the process is the slower half, each question to the database waits a turn of its loop for its answer, and two at
 * once open hardly any stream (docs/decisions/055-admission.md). As long as nobody waits for the database, so many are opened.
 */
const MOST_AT_ONCE = 8;
/** Whoever has waited so long is told to come again. Few do: the door refuses those who would. */
const MAX_WAIT_MS = 20_000;
/** The share of the last one in the mean time between two turns. */
const SMOOTHING = 0.1;

export interface TurnOptions {
  signal: AbortSignal;
  /** A stream that goes on after a lost connection: its viewer sees a picture that stands still. It goes before new ones. */
  isResumed?: boolean;
}

export interface OpeningTurns {
  /** How long somebody who asks now waits for a turn, milliseconds, at the pace of the last ones. */
  expectedWaitMs(): number;
  /** @throws AppError `database/busy` after a long wait; whatever the work throws */
  run<T>(work: () => Promise<T>, options: TurnOptions): Promise<T>;
}

/** @param options.isDatabaseFree  nobody waits for it: more may be opened at once */
export function openingTurns({
  atOnce = AT_ONCE,
  maxWaitMs = MAX_WAIT_MS,
  isDatabaseFree = (): boolean => false,
} = {}): OpeningTurns {
  const resumed = new Set<() => void>();
  const others = new Set<() => void>();
  let running = 0;
  let begunMs = 0;
  let intervalMs = 0;

  const isRoom = (): boolean => running < atOnce || (running < MOST_AT_ONCE && isDatabaseFree());

  /** Between two turns while others waited. */
  function pace(): void {
    const nowMs = performance.now();
    intervalMs += SMOOTHING * (nowMs - begunMs - intervalMs);
    begunMs = nowMs;
  }

  async function turn({ signal, isResumed = false }: TurnOptions): Promise<void> {
    signal.throwIfAborted();
    const waiting = isResumed ? resumed : others;
    if (isRoom()) {
      running += 1;
      return;
    }
    if (resumed.size + others.size === 0) begunMs = performance.now();
    await new Promise<void>((resolve, reject) => {
      const leave = (reason: unknown): void => {
        waiting.delete(take);
        stop();
        reject(reason);
      };
      const onAbort = (): void => leave(signal.reason);
      const timer = setTimeout(() => leave(new AppError('database/busy')), maxWaitMs);
      const stop = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      const take = (): void => {
        stop();
        resolve();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      waiting.add(take);
    });
  }

  function passOn(): void {
    running -= 1;
    while (isRoom()) {
      const waiting = resumed.size > 0 ? resumed : others;
      const [next] = waiting;
      if (next === undefined) return;
      running += 1;
      pace();
      waiting.delete(next);
      next();
    }
  }

  return {
    expectedWaitMs: () => (resumed.size + others.size) * intervalMs,
    async run(work, options) {
      await turn(options);
      try {
        return await work();
      } finally {
        passOn();
      }
    },
  };
}
