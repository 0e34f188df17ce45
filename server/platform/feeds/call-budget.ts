/**
 * Keeps calls within a monthly allowance, whatever fails or restarts. Each call is counted in the database before it is
 * made. Rounds slow down when the remaining calls would not last until the end of the month.
 */
import { AppError } from '#domain/errors/app-error.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { CallStore } from './call-store.ts';

export interface CallBudgetOptions {
  feed: string;
  callsPerMonth: number;
  /** Calls per round of everything that uses the allowance. */
  callsPerRound: number;
  calls: CallStore;
  clock: Clock;
}

export interface CallBudget {
  /** @throws AppError `venue/unavailable` when none is left, without a retry time: the key or plan may have changed */
  spend(): Promise<void>;
  /** Milliseconds until the next round: `periodMs`, or longer when calls run short. */
  nextInMs(periodMs: number): Promise<number>;
}

/** The feed's clock may differ from ours, so calls around the end of a month may count in the wrong one. */
const RESERVE_SHARE = 0.02;

export function callBudget({ feed, callsPerMonth, callsPerRound, calls, clock }: CallBudgetOptions): CallBudget {
  const allowance = Math.floor(callsPerMonth * (1 - RESERVE_SHARE));
  return {
    async spend() {
      if (await calls.spend(feed, monthOf(clock.nowMs()), allowance)) return;
      throw new AppError('venue/unavailable', { details: { reason: 'monthly allowance spent' } });
    },
    async nextInMs(periodMs) {
      const nowMs = clock.nowMs();
      const callsLeft = allowance - (await calls.callsOf(feed, monthOf(nowMs)));
      return pacedMs({ periodMs, callsLeft, callsPerRound, nowMs });
    },
  };
}

interface Pace {
  periodMs: number;
  callsLeft: number;
  callsPerRound: number;
  nowMs: number;
}

/** Spreads the remaining calls evenly until the month ends; with none left, `periodMs`. */
export function pacedMs({ periodMs, callsLeft, callsPerRound, nowMs }: Pace): number {
  const leftMs = monthEndMs(nowMs) - nowMs;
  const rounds = Math.floor(callsLeft / callsPerRound);
  return rounds < 1 ? periodMs : Math.max(periodMs, leftMs / rounds);
}

/** The month's first day in UTC: `2026-11-01`. */
function monthOf(nowMs: number): string {
  return `${new Date(nowMs).toISOString().slice(0, 7)}-01`;
}

function monthEndMs(nowMs: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
}
