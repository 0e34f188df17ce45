import * as z from 'zod/mini';
import { UNLIMITED } from '../billing/plans.ts';

/** Numbers, numeric text, or 'na', 'n/a', 'none', which count as 0 (R-PLAN-19); -1 means no limit. */
const left = z.union([z.number(), z.string(), z.null()]);

export const quotaAnswerSchema = z.object({
  ok: z.boolean(),
  remaining_daily: z.optional(left),
  remaining_monthly: z.optional(left),
});
export type QuotaAnswer = z.infer<typeof quotaAnswerSchema>;

export interface Quota {
  /** UNLIMITED: no limit. */
  remainingDaily: number;
  remainingMonthly: number;
}

/** True while both counts allow another prediction. */
export function hasLeft({ remainingDaily, remainingMonthly }: Quota): boolean {
  return remainingDaily !== 0 && remainingMonthly !== 0;
}

export function describeLeft(left: number): string {
  return left === UNLIMITED ? 'unlimited' : String(left);
}

export function readQuota(answer: QuotaAnswer): Quota {
  return { remainingDaily: readLeft(answer.remaining_daily), remainingMonthly: readLeft(answer.remaining_monthly) };
}

/** 'na', 'n/a', 'none', missing and unreadable values are 0; so is any negative number except -1. */
function readLeft(value: number | string | null | undefined): number {
  const n = typeof value === 'string' ? Number.parseInt(value, 10) : (value ?? 0);
  if (n === UNLIMITED) return UNLIMITED;
  return Number.isFinite(n) ? Math.max(0, Math.floor(n)) : 0;
}
