/** stripe-checkout: the page where the caller pays for a plan. */
import * as z from 'zod/mini';
import type { ServerFunction } from '../../platform/http/calls/server-function.ts';
import type { BillingDeps } from '../billing-deps.ts';
import { billingFunction } from '../billing-function.ts';
import { openCheckout } from '../checkout/checkout.ts';
import { readPriceList } from '../prices/price-list.ts';
import { ownAddress, withSessionPlaceholder } from '../provider/return-address.ts';
import { address, providerId } from './ids.ts';

/**
 * Returns `{url, sessionId}`.
 * @throws AppError `billing/foreign-address`, `billing/unknown-price`, `billing/already-subscribed`
 */
export function stripeCheckout(deps: BillingDeps): ServerFunction {
  return billingFunction({
    name: 'stripe-checkout',
    body: z.object({
      price_id: providerId,
      success_url: address,
      cancel_url: address,
      mode: z.literal('subscription'),
    }),
    async handle({ body, caller: { userId } }) {
      const successUrl = withSessionPlaceholder(ownAddress(deps, body.success_url));
      const cancelUrl = ownAddress(deps, body.cancel_url);
      const { priceId } = (await readPriceList(deps)).onSale(body.price_id);
      const purchase = { userId, priceId, successUrl, cancelUrl };
      const { id, url } = await deps.queue.run(userId, () => openCheckout(deps, purchase));
      return { url, sessionId: id };
    },
  });
}
