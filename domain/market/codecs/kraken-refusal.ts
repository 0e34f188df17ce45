/** Recognizes Kraken's refusals among other failures. Only the server uses it; a page already receives the codes. */
import * as z from 'zod/mini';
import { isAppError } from '../../errors/app-error.ts';
import { isKrakenError, KRAKEN_REFUSED } from './kraken-ohlc.ts';

/** Severity, category and text: 'EService:Busy'. */
const errorSchema = z.string().check(z.maxLength(200), z.regex(/^[EW][A-Za-z]+:[\x20-\x7e]+$/));
const refusalSchema = z.array(errorSchema).check(z.minLength(1), z.maxLength(10));

const answerSchema = z.object({ error: z.array(z.string()) });

/** The errors in an answer, without its warnings; none for an answer that isn't Kraken's. */
export function krakenErrorsOf(answer: unknown): string[] {
  const parsed = answerSchema.safeParse(answer);
  return parsed.success ? parsed.data.error.filter(isKrakenError) : [];
}

/** The codes when Kraken's refusal is the cause of an error, which callers may have wrapped; else null. */
export function krakenRefusalOf(error: unknown): readonly string[] | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (!isAppError(at) || at.details.reason !== KRAKEN_REFUSED) continue;
    const refusal = refusalSchema.safeParse(at.details.refusal);
    return refusal.success ? refusal.data : null;
  }
  return null;
}
