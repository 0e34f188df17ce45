/** resume-subscription: the cancellation is taken back. Specification 1, sections 4 and 7. */
import * as z from 'zod/mini';
import type { ServerFunction } from '../../platform/http/calls/server-function.ts';
import type { BillingDeps } from '../billing-deps.ts';
import { billingFunction } from '../billing-function.ts';
import { kept } from '../changes/cancellation.ts';
import { ownSubscription, withRow } from '../changes/own-subscription.ts';
import { providerId } from './ids.ts';

/** Answers `{ok: true, subscription}`, also where there was nothing to take back. */
export function resumeSubscription(deps: BillingDeps): ServerFunction {
  return billingFunction({
    name: 'resume-subscription',
    body: z.object({ subscription_id: providerId }),
    handle: ({ body, caller: { userId } }) =>
      deps.queue.run(userId, async () => {
        await kept(deps, await ownSubscription(deps, { userId, subscriptionId: body.subscription_id }));
        return { ok: true, ...(await withRow(deps, userId)) };
      }),
  });
}
