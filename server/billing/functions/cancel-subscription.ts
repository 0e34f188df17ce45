/** cancel-subscription: cancels at the period's end; the plan stays until then. */
import * as z from 'zod/mini';
import type { ServerFunction } from '../../platform/http/calls/server-function.ts';
import type { BillingDeps } from '../billing-deps.ts';
import { billingFunction } from '../billing-function.ts';
import { cancelAtPeriodEnd } from '../changes/cancellation.ts';
import { ownSubscription, withRow } from '../changes/own-subscription.ts';
import { providerId } from './ids.ts';

/** Returns `{ok: true, subscription}`, with `already_set: true` if it was already set to end. */
export function cancelSubscription(deps: BillingDeps): ServerFunction {
  return billingFunction({
    name: 'cancel-subscription',
    body: z.object({ subscription_id: providerId }),
    handle: ({ body, caller: { userId } }) =>
      deps.queue.run(userId, async () => {
        const now = await ownSubscription(deps, { userId, subscriptionId: body.subscription_id });
        const isNew = await cancelAtPeriodEnd(deps, now);
        return { ok: true, ...(isNew ? {} : { already_set: true }), ...(await withRow(deps, userId)) };
      }),
  });
}
