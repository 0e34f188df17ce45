/**
 * A monthly allowance of calls that is never exceeded, whatever fails or restarts: each call is counted in the database
 * before it is made, and runs come more slowly as soon as the rest of the allowance would not last until the month's end.
 */
import { AppError } from '#domain/errors/app-error.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { CallStore } from './call-store.ts';

export interface CallBudgetOptions {
  feed: string;
  callsPerMonth: number;
  /** Calls of one round of everything that draws on the allowance. */
  callsPerRound: number;
  calls: CallStore;
  clock: Clock;
}

export interface CallBudget {
  /** Counts one call. @throws AppError `venue/unavailable` when none is left. Without a time to wait: to ask again costs no call, and a key or a plan may have changed since */
  spend(): Promise<void>;
  /** Time until the next round, milliseconds: `periodMs`, or longer when calls run short. */
  nextInMs(periodMs: number): Promise<number>;
}

/** Our clock and the feed's may differ: around a month's end a call may be counted in the wrong one. */
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

/** So long that the calls left, spread evenly, last until the month ends; with none left `periodMs`, since none can be made. */
export function pacedMs({ periodMs, callsLeft, callsPerRound, nowMs }: Pace): number {
  const leftMs = monthEndMs(nowMs) - nowMs;
  const rounds = Math.floor(callsLeft / callsPerRound);
  return rounds < 1 ? periodMs : Math.max(periodMs, leftMs / rounds);
}

/** Its first day, UTC: `2026-11-01`. */
function monthOf(nowMs: number): string {
  return `${new Date(nowMs).toISOString().slice(0, 7)}-01`;
}

function monthEndMs(nowMs: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
}
