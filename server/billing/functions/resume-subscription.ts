/** resume-subscription: undoes a cancellation. */
import * as z from 'zod/mini';
import type { ServerFunction } from '../../platform/http/calls/server-function.ts';
import type { BillingDeps } from '../billing-deps.ts';
import { billingFunction } from '../billing-function.ts';
import { undoCancellation } from '../changes/cancellation.ts';
import { ownSubscription, withRow } from '../changes/own-subscription.ts';
import { providerId } from './ids.ts';

/** Returns `{ok: true, subscription}`, also if there was nothing to undo. */
export function resumeSubscription(deps: BillingDeps): ServerFunction {
  return billingFunction({
    name: 'resume-subscription',
    body: z.object({ subscription_id: providerId }),
    handle: ({ body, caller: { userId } }) =>
      deps.queue.run(userId, async () => {
        await undoCancellation(deps, await ownSubscription(deps, { userId, subscriptionId: body.subscription_id }));
        return { ok: true, ...(await withRow(deps, userId)) };
      }),
  });
}
