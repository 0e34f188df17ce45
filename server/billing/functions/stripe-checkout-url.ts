/** stripe-checkout-url: the page of the caller's open session, for a client that only has the session's id. */
import * as z from 'zod/mini';
import { AppError } from '#domain/errors/app-error.ts';
import type { ServerFunction } from '../../platform/http/calls/server-function.ts';
import type { BillingDeps } from '../billing-deps.ts';
import { billingFunction } from '../billing-function.ts';
import { ownCheckout } from '../checkout/own-checkout.ts';
import { providerId } from './ids.ts';

/** Returns `{url}`. @throws AppError `billing/no-such-checkout`, also for a session that is paid or expired */
export function stripeCheckoutUrl(deps: BillingDeps): ServerFunction {
  return billingFunction({
    name: 'stripe-checkout-url',
    body: z.object({ session_id: providerId }),
    async handle({ body, caller: { userId } }) {
      const wanted = { userId, sessionId: body.session_id };
      const { status, url } = await deps.queue.run(userId, () => ownCheckout(deps, wanted));
      if (status !== 'open' || url === null) throw new AppError('billing/no-such-checkout');
      return { url };
    },
  });
}
