import * as z from 'zod/mini';
import { PLAN_NAMES } from '#domain/billing/plans.ts';
import { subscriptionRowSchema } from '#domain/billing/subscription.ts';
import { CallError, refusalIn } from '../../platform/calls/call-error.ts';
import { callFunction } from '../../platform/calls/functions.ts';
import { inTime } from '../../platform/calls/time-limit.ts';

const confirmedSchema = z.object({
  /** `open`: not paid yet; `expired`: can no longer be paid. */
  status: z.enum(['complete', 'open', 'expired']),
  /** The plan active now, according to the row beside it. */
  plan: z.enum(PLAN_NAMES),
  /** The caller's row, in the provider's present state. */
  subscription: z.nullable(subscriptionRowSchema),
});
export type Confirmed = z.infer<typeof confirmedSchema>;

export interface Refused {
  status: 'refused';
  message: string;
}

/**
 * The server checks with the provider; safe to repeat.
 * @throws Error for temporary failures: no answer, the provider is unavailable, another change is running
 */
export async function confirmCheckout(sessionId: string, signal: AbortSignal): Promise<Confirmed | Refused> {
  try {
    const answer = await inTime(signal, () => callFunction('checkout-confirm', { session_id: sessionId }));
    return confirmedSchema.parse(accepted(answer));
  } catch (error) {
    if (error instanceof CallError && isFinal(error)) return { status: 'refused', message: error.message };
    throw error;
  }
}

/** The product's refusals come with status 200. @throws CallError for one, with the matching status */
function accepted(answer: unknown): unknown {
  const refusal = refusalIn(answer);
  if (refusal !== null) throw new CallError(refusal.code, refusal.message, 409);
  return answer;
}

function isFinal({ code, status }: CallError): boolean {
  if (code === 'billing/busy') return false;
  return code === 'billing/not-set-up' || status === 400 || status === 404 || status === 409;
}
