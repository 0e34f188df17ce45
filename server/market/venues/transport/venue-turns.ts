/** Calls wait for their turn: those for a user's forecast first, and all others by caller, so that none delays the rest. */
import { AppError } from '#domain/errors/app-error.ts';
import type { RateLimit } from '../../../platform/http/guards/rate-limit.ts';
import { currentRequester } from '../../../platform/http/requester.ts';
import { type Owner, type OwnerLine, ownerLine } from '../../../platform/owner-line.ts';

export interface WaitingCalls {
  /** More would wait longer than any reader does. Forecasts are counted apart. */
  inAll: number;
  ofOne: number;
}

type Start = () => void;

/** The server's own work. */
const OWN = 'server';

/**
 * @param limit  calls in any such time @param monotonicMs  a test passes its own
 * @returns a function that resolves when a call may start; it rejects with `request/too-many` if too many wait
 */
export function venueTurns(
  { points, perS }: RateLimit,
  waiting: WaitingCalls,
  monotonicMs: () => number = () => performance.now(),
): () => Promise<void> {
  const openLine = (): OwnerLine<Start> => ownerLine({ nowMs: monotonicMs });
  const [forecasts, others] = [openLine(), openLine()];
  /** Of the last calls, at most as many as the limit; the oldest first. */
  const startedAtMs: number[] = [];
  let timer: NodeJS.Timeout | null = null;

  function waitMs(): number {
    const [oldest] = startedAtMs;
    return oldest === undefined || startedAtMs.length < points ? 0 : oldest + perS * 1000 - monotonicMs();
  }

  function note(): void {
    startedAtMs.push(monotonicMs());
    if (startedAtMs.length > points) startedAtMs.shift();
  }

  function startDue(): void {
    timer = null;
    while (forecasts.length + others.length > 0) {
      const ms = waitMs();
      if (ms > 0) {
        timer = setTimeout(startDue, Math.ceil(ms)).unref();
        return;
      }
      note();
      const start = forecasts.shift() ?? others.shift();
      start?.();
    }
  }

  function isFull(line: OwnerLine<Start>, owner: Owner): boolean {
    return line.length >= waiting.inAll || line.waitingOf(owner) >= waiting.ofOne;
  }

  return async () => {
    const { owner, isForecast } = currentRequester() ?? { owner: OWN, isForecast: false };
    const line = isForecast ? forecasts : others;
    if (isFull(line, owner)) throw new AppError('request/too-many', { details: { retryAfterS: perS } });
    const { promise, resolve } = Promise.withResolvers<void>();
    line.push(owner, resolve);
    if (timer === null) startDue();
    await promise;
  };
}
