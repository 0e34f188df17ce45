/** Reads the caller's own checkout session, by the id that a browser brings back. */
import { AppError } from '#domain/errors/app-error.ts';
import type { BillingDeps } from '../billing-deps.ts';
import { isMissing } from '../provider/provider-call.ts';
import type { Stripe } from '../provider/stripe-client.ts';
import { idOf } from '../subscriptions/subscription-row.ts';

/** @throws AppError `billing/no-such-checkout`; without a call to the provider if the id can't be a session's */
export async function ownCheckout(
  deps: BillingDeps,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<Stripe.Checkout.Session> {
  const customerId = /^cs_[A-Za-z0-9_]{1,240}$/.test(sessionId) ? await deps.customers.of(userId) : null;
  if (customerId === null) throw new AppError('billing/no-such-checkout');
  const session = await retrieved(deps, sessionId);
  if (session.customer === null || idOf(session.customer) !== customerId)
    throw new AppError('billing/no-such-checkout');
  return session;
}

async function retrieved(deps: BillingDeps, sessionId: string): Promise<Stripe.Checkout.Session> {
  try {
    return await deps.call('checkout.session', () => deps.stripe.checkout.sessions.retrieve(sessionId));
  } catch (error) {
    if (isMissing(error)) throw new AppError('billing/no-such-checkout', { cause: error });
    throw error;
  }
}
