/** alternative.me's wire format, whose numbers are text. Its labels differ from ours and are not used. */
import * as z from 'zod/mini';

const row = z.object({
  value: z.string().check(z.regex(/^(100|\d{1,2})$/)),
  /** Epoch seconds. */
  timestamp: z.string().check(z.regex(/^\d{1,11}$/)),
  value_classification: z.nullish(z.string().check(z.maxLength(50))),
  time_until_update: z.nullish(z.string().check(z.maxLength(20))),
});

/** GET /fng/?limit=1 */
export const fearGreedSchema = z.object({
  name: z.nullish(z.string().check(z.maxLength(100))),
  /** Newest first; never empty. */
  data: z.tuple([row], row),
});
export type FearGreedAnswer = z.output<typeof fearGreedSchema>;

/** Shown when the index is unavailable (R-MARKET-18). */
export const DEFAULT_FEAR_GREED = 50;

export type FearGreedLabel = 'Extreme Greed' | 'Greed' | 'Neutral' | 'Fear' | 'Extreme Fear';

export function fearGreedLabel(value: number): FearGreedLabel {
  if (value >= 75) return 'Extreme Greed';
  if (value >= 55) return 'Greed';
  if (value >= 45) return 'Neutral';
  return value >= 25 ? 'Fear' : 'Extreme Fear';
}

export function fearGreedValue(answer: FearGreedAnswer): number {
  return Number(answer.data[0].value);
}
