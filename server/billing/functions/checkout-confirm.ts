/** checkout-confirm: the outcome of a payment, for the page the buyer returns to, often before the webhook. */
import * as z from 'zod/mini';
import type { ServerFunction } from '../../platform/http/calls/server-function.ts';
import type { BillingDeps } from '../billing-deps.ts';
import { billingFunction } from '../billing-function.ts';
import { closeSession } from '../checkout/checkout-store.ts';
import { ownCheckout } from '../checkout/own-checkout.ts';
import type { Stripe } from '../provider/stripe-client.ts';
import { planNow, subscriptionRowOf } from '../subscriptions/subscriber-store.ts';
import { idOf } from '../subscriptions/subscription-row.ts';
import { providerId } from './ids.ts';

const STATUSES = ['complete', 'expired'] as const;

/** Returns `{status, plan, subscription}`. @throws AppError `billing/no-such-checkout` */
export function checkoutConfirm(deps: BillingDeps): ServerFunction {
  return billingFunction({
    name: 'checkout-confirm',
    body: z.object({ session_id: providerId }),
    handle: ({ body, caller: { userId } }) =>
      deps.queue.run(userId, async () => {
        const session = await ownCheckout(deps, { userId, sessionId: body.session_id });
        const status = STATUSES.find((one) => one === session.status) ?? 'open';
        if (status === 'complete') await synced(deps, session);
        if (status !== 'open') {
          const nowIso = new Date(deps.clock.nowMs()).toISOString();
          await closeSession(deps.database, { sessionId: session.id, state: status, nowIso });
        }
        const subscription = await subscriptionRowOf(deps.database, userId);
        return { status, plan: await planNow(deps.database, userId), subscription };
      }),
  });
}

async function synced(deps: BillingDeps, { subscription }: Stripe.Checkout.Session): Promise<void> {
  if (subscription === null) return;
  await deps.sync.one(idOf(subscription));
}
