/** What the page after a checkout asks the server. */
import * as z from 'zod/mini';
import { PLAN_NAMES } from '#domain/billing/plans.ts';
import { subscriptionRowSchema } from '#domain/billing/subscription.ts';
import { CallError } from '../../platform/calls/call-error.ts';
import { callFunction } from '../../platform/calls/functions.ts';
import { inTime } from '../../platform/calls/time-limit.ts';

const confirmedSchema = z.object({
  /** `open`: nothing is paid yet; `expired`: nothing will be. */
  status: z.enum(['complete', 'open', 'expired']),
  /** In force now, by the row beside it. */
  plan: z.enum(PLAN_NAMES),
  /** The caller's row of the view, as the provider has the subscription at this moment. */
  subscription: z.nullable(subscriptionRowSchema),
});
export type Confirmed = z.infer<typeof confirmedSchema>;

/** A refusal for good, in the server's words. */
export interface Refused {
  status: 'refused';
  message: string;
}

const refusedSchema = z.object({ ok: z.literal(false), reason: z.string(), code: z.string() });

/**
 * Asks what became of the checkout; the server looks at the provider. As often as one likes.
 * @throws Error of what passes: nobody answers, the provider is away, another change is under way
 */
export async function confirmCheckout(sessionId: string, signal: AbortSignal): Promise<Confirmed | Refused> {
  try {
    const answer = await inTime(signal, () => callFunction('checkout-confirm', { session_id: sessionId }));
    return confirmedSchema.parse(accepted(answer));
  } catch (error) {
    if (error instanceof CallError && isForGood(error)) return { status: 'refused', message: error.message };
    throw error;
  }
}

/** The product's refusals come with status 200. @throws CallError for one, with the status it stands for */
function accepted(answer: unknown): unknown {
  const refused = refusedSchema.safeParse(answer);
  if (refused.success) throw new CallError(refused.data.code, refused.data.reason, 409);
  return answer;
}

function isForGood({ code, status }: CallError): boolean {
  if (code === 'billing/busy') return false;
  return code === 'billing/not-set-up' || status === 400 || status === 404 || status === 409;
}
