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
/** Whoever has waited so long is told to come again. */
const MAX_WAIT_MS = 20_000;

export interface TurnOptions {
  signal: AbortSignal;
  /** A stream that goes on after a lost connection: its viewer sees a picture that stands still. It goes before new ones. */
  isResumed?: boolean;
}

export interface OpeningTurns {
  /** @throws AppError `database/busy` after a long wait; whatever the work throws */
  run<T>(work: () => Promise<T>, options: TurnOptions): Promise<T>;
}

export function openingTurns({ atOnce = AT_ONCE, maxWaitMs = MAX_WAIT_MS } = {}): OpeningTurns {
  const resumed = new Set<() => void>();
  const others = new Set<() => void>();
  let free = atOnce;

  async function turn({ signal, isResumed = false }: TurnOptions): Promise<void> {
    signal.throwIfAborted();
    const waiting = isResumed ? resumed : others;
    if (free > 0) {
      free -= 1;
      return;
    }
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
    const waiting = resumed.size > 0 ? resumed : others;
    const [next] = waiting;
    if (next === undefined) {
      free += 1;
      return;
    }
    waiting.delete(next);
    next();
  }

  return {
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
