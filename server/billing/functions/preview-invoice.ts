/** preview-invoice: the current cost of an upgrade. */
import * as z from 'zod/mini';
import { AppError } from '#domain/errors/app-error.ts';
import type { ServerFunction } from '../../platform/http/calls/server-function.ts';
import type { BillingDeps } from '../billing-deps.ts';
import { billingFunction } from '../billing-function.ts';
import { ownSubscription } from '../changes/own-subscription.ts';
import { planChange } from '../changes/plan-change.ts';
import { subscriptionNow } from '../changes/subscription-now.ts';
import { quoteUpgrade } from '../changes/upgrade.ts';
import { readPriceList } from '../prices/price-list.ts';
import { providerId } from './ids.ts';

/**
 * Returns `{amount_due, currency: 'usd', proration_date}`: cents and epoch seconds.
 * @throws AppError `billing/not-previewable` for anything but a move to a higher plan
 */
export function previewInvoice(deps: BillingDeps): ServerFunction {
  return billingFunction({
    name: 'preview-invoice',
    body: z.object({ subscription_id: providerId, new_price_id: providerId }),
    handle: ({ body, caller: { userId } }) =>
      deps.queue.run(userId, async () => {
        const prices = await readPriceList(deps);
        const target = prices.onSale(body.new_price_id);
        const synced = await ownSubscription(deps, { userId, subscriptionId: body.subscription_id });
        const change = planChange(await subscriptionNow(deps, { synced, prices }), target);
        if (change.kind === 'refused') throw new AppError(change.code);
        if (change.kind !== 'upgrade') throw new AppError('billing/not-previewable');
        const { amountDueCents, prorationDate } = await quoteUpgrade(deps, synced, target.priceId);
        return { amount_due: amountDueCents, currency: 'usd', proration_date: prorationDate };
      }),
  });
}
