/** billing-portal: the provider's page for invoices and the card. */
import * as z from 'zod/mini';
import type { ServerFunction } from '../../platform/http/calls/server-function.ts';
import type { BillingDeps } from '../billing-deps.ts';
import { billingFunction } from '../billing-function.ts';
import { ownAddress } from '../provider/return-address.ts';
import { address } from './ids.ts';

/** Returns `{url}`, which works only for the caller and expires soon. @throws AppError `billing/foreign-address` */
export function billingPortal(deps: BillingDeps): ServerFunction {
  return billingFunction({
    name: 'billing-portal',
    body: z.object({ return_url: address }),
    async handle({ body, caller: { userId } }) {
      const returnUrl = ownAddress(deps, body.return_url);
      return await deps.queue.run(userId, async () => {
        const customer = await deps.customers.ensure(userId);
        const { url } = await deps.call('billing_portal.session', () =>
          deps.stripe.billingPortal.sessions.create({ customer, return_url: returnUrl }),
        );
        return { url };
      });
    },
  });
}
