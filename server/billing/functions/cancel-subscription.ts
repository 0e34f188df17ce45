/** cancel-subscription: the plan stays until its period ends. Specification 1, sections 4 and 7; READINGS 17. */
import * as z from 'zod/mini';
import type { ServerFunction } from '../../platform/http/calls/server-function.ts';
import type { BillingDeps } from '../billing-deps.ts';
import { billingFunction } from '../billing-function.ts';
import { canceledAtPeriodEnd } from '../changes/cancellation.ts';
import { ownSubscription, withRow } from '../changes/own-subscription.ts';
import { providerId } from './ids.ts';

/** Answers `{ok: true, subscription}`, with `already_set: true` where nothing was left to do. */
export function cancelSubscription(deps: BillingDeps): ServerFunction {
  return billingFunction({
    name: 'cancel-subscription',
    body: z.object({ subscription_id: providerId }),
    handle: ({ body, caller: { userId } }) =>
      deps.queue.run(userId, async () => {
        const now = await ownSubscription(deps, { userId, subscriptionId: body.subscription_id });
        const isNew = await canceledAtPeriodEnd(deps, now);
        return { ok: true, ...(isNew ? {} : { already_set: true }), ...(await withRow(deps, userId)) };
      }),
  });
}
