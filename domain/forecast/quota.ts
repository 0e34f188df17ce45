/** Predictions left, by UTC day and by billing period. Specification 2, sections 3 and 7.2. */
import * as z from 'zod/mini';

/** `get-quota` as it may arrive: numbers, numeric text, or 'na', 'n/a', 'none', which count as 0. */
const left = z.union([z.number(), z.string(), z.null()]);

export const quotaAnswerSchema = z.object({
  ok: z.boolean(),
  /** Of a refusal: its code, or words of an older server. */
  reason: z.optional(z.nullable(z.string())),
  /** Of a refusal: a sentence for people. */
  message: z.optional(z.nullable(z.string())),
  remaining_daily: z.optional(left),
  remaining_monthly: z.optional(left),
});
export type QuotaAnswer = z.infer<typeof quotaAnswerSchema>;

export interface Quota {
  remainingDaily: number;
  remainingMonthly: number;
}

export function readQuota(answer: QuotaAnswer): Quota {
  return { remainingDaily: readLeft(answer.remaining_daily), remainingMonthly: readLeft(answer.remaining_monthly) };
}

/** 'na', 'n/a', 'none', missing and unreadable values are 0; nothing is below 0. */
function readLeft(value: number | string | null | undefined): number {
  const n = typeof value === 'string' ? Number.parseInt(value, 10) : (value ?? 0);
  return Number.isFinite(n) ? Math.max(0, Math.floor(n)) : 0;
}
