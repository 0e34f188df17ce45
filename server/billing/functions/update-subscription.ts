/** update-subscription: changes the plan; `free` cancels the current one at its period's end. */
import * as z from 'zod/mini';
import { AppError } from '#domain/errors/app-error.ts';
import type { FunctionAnswer, ServerFunction } from '../../platform/http/calls/server-function.ts';
import type { BillingDeps, Synced } from '../billing-deps.ts';
import { billingFunction } from '../billing-function.ts';
import { cancelAtPeriodEnd } from '../changes/cancellation.ts';
import { releaseSchedule, scheduleDowngrade } from '../changes/downgrade.ts';
import { ownSubscription, withRow } from '../changes/own-subscription.ts';
import { planChange } from '../changes/plan-change.ts';
import { subscriptionNow } from '../changes/subscription-now.ts';
import { openInvoiceUrl, upgradeSubscription } from '../changes/upgrade.ts';
import { readPriceList } from '../prices/price-list.ts';
import { providerId } from './ids.ts';

const FREE = 'free';

interface Wish {
  userId: string;
  subscriptionId: string;
  priceId: string;
}

/**
 * Returns `{ok: true, subscription}`, or `{ok: true, redirect_url}` if a payment must be completed first.
 * @throws AppError `billing/cancellation-pending`, `billing/subscription-ended`, `billing/unknown-price`
 */
export function updateSubscription(deps: BillingDeps): ServerFunction {
  return billingFunction({
    name: 'update-subscription',
    body: z.object({ subscription_id: providerId, new_price_id: providerId }),
    handle({ body, caller: { userId } }) {
      const wish = { userId, subscriptionId: body.subscription_id, priceId: body.new_price_id };
      return deps.queue.run(userId, () => (wish.priceId === FREE ? toFree(deps, wish) : toPlan(deps, wish)));
    },
  });
}

async function toFree(deps: BillingDeps, wish: Wish): Promise<FunctionAnswer> {
  const isNew = await cancelAtPeriodEnd(deps, await ownSubscription(deps, wish));
  return { ok: true, ...(isNew ? {} : { already_set: true }), ...(await withRow(deps, wish.userId)) };
}

async function toPlan(deps: BillingDeps, wish: Wish): Promise<FunctionAnswer> {
  const prices = await readPriceList(deps);
  const target = prices.onSale(wish.priceId);
  const synced = await ownSubscription(deps, wish);
  const change = planChange(await subscriptionNow(deps, { synced, prices }), target);
  if (change.kind === 'refused') throw new AppError(change.code);
  const redirectUrl = await pageAfter(deps, { kind: change.kind, synced, priceId: target.priceId });
  return { ok: true, ...(redirectUrl === null ? await withRow(deps, wish.userId) : { redirect_url: redirectUrl }) };
}

/** Makes the change. @returns the page that completes its payment; null when it is done */
async function pageAfter(
  deps: BillingDeps,
  {
    kind,
    synced,
    priceId,
  }: { kind: 'nothing' | 'release' | 'upgrade' | 'downgrade' | 'pay'; synced: Synced; priceId: string },
): Promise<string | null> {
  switch (kind) {
    case 'nothing':
      return null;
    case 'pay':
      return await openInvoiceUrl(deps, synced);
    case 'upgrade':
      return await upgradeSubscription(deps, synced, priceId);
    case 'release':
      await releaseSchedule(deps, synced);
      return null;
    case 'downgrade':
      await scheduleDowngrade(deps, synced, priceId);
      return null;
  }
}
