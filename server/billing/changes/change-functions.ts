import * as z from 'zod/mini';
import { AppError } from '#domain/errors/app-error.ts';
import type { FunctionAnswer, ServerFunction } from '../../platform/http/calls/server-function.ts';
import { type BillingDeps, billingFunction, providerId } from '../billing-function.ts';
import { type PriceList, readPriceList } from '../prices.ts';
import type { Synced } from '../subscriptions/subscription-row.ts';
import { cancelAtPeriodEnd, undoCancellation } from './cancellation.ts';
import { releaseSchedule, scheduleDowngrade, scheduleIdOf } from './downgrade.ts';
import { ownSubscription, withRow } from './own-subscription.ts';
import { isInArrears, type PlanChange, planChange, type SubscriptionNow } from './plan-change.ts';
import { openInvoiceOf, openInvoiceUrl, quoteUpgrade, unpaidPriceOf, upgradeSubscription } from './upgrade.ts';

const FREE = 'free';

interface PlanRequest {
  userId: string;
  subscriptionId: string;
  priceId: string;
}

/**
 * Changes the plan; the price `free` cancels the current one at its period's end. Returns `{ok: true, subscription}`,
 * or `{ok: true, redirect_url}` if a payment must be completed first.
 * @throws AppError `billing/cancellation-pending`, `billing/subscription-ended`, `billing/unknown-price`
 */
export function updateSubscription(deps: BillingDeps): ServerFunction {
  return billingFunction({
    name: 'update-subscription',
    body: z.object({ subscription_id: providerId, new_price_id: providerId }),
    handle({ body, caller: { userId } }) {
      const request = { userId, subscriptionId: body.subscription_id, priceId: body.new_price_id };
      return deps.queue.run(userId, () =>
        request.priceId === FREE ? switchToFree(deps, request) : switchToPaidPlan(deps, request),
      );
    },
  });
}

async function switchToFree(deps: BillingDeps, request: Omit<PlanRequest, 'priceId'>): Promise<FunctionAnswer> {
  const isNew = await cancelAtPeriodEnd(deps, await ownSubscription(deps, request));
  return { ok: true, ...(isNew ? {} : { already_set: true }), ...(await withRow(deps, request.userId)) };
}

async function switchToPaidPlan(deps: BillingDeps, request: PlanRequest): Promise<FunctionAnswer> {
  const prices = await readPriceList(deps);
  const target = prices.onSale(request.priceId);
  const synced = await ownSubscription(deps, request);
  const change = planChange(await subscriptionNow(deps, { synced, prices }), target);
  if (change.kind === 'refused') throw new AppError(change.code);
  const redirectUrl = await applyPlanChange(deps, change.kind, synced, target.priceId);
  return { ok: true, ...(redirectUrl === null ? await withRow(deps, request.userId) : { redirect_url: redirectUrl }) };
}

/** Makes the change. @returns the page that completes its payment; null when it is done */
async function applyPlanChange(
  deps: BillingDeps,
  kind: Exclude<PlanChange['kind'], 'refused'>,
  synced: Synced,
  priceId: string,
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

/** The plan stays until the period's end. Returns `{ok: true, subscription}`, perhaps with `already_set: true`. */
export function cancelSubscription(deps: BillingDeps): ServerFunction {
  return billingFunction({
    name: 'cancel-subscription',
    body: z.object({ subscription_id: providerId }),
    handle: ({ body, caller: { userId } }) =>
      deps.queue.run(userId, () => switchToFree(deps, { userId, subscriptionId: body.subscription_id })),
  });
}

/** Undoes a cancellation. Returns `{ok: true, subscription}`, also if there was nothing to undo. */
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

/**
 * The current cost of an upgrade. Returns `{amount_due, currency: 'usd', proration_date}`: cents and epoch seconds.
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

/** The facts that decide a plan change, from a fresh sync. */
async function subscriptionNow(
  deps: BillingDeps,
  { synced, prices }: { synced: Synced; prices: PriceList },
): Promise<SubscriptionNow> {
  const { after } = synced;
  return {
    status: after.status,
    priceId: after.priceId,
    plan: prices.planOf(after.priceId),
    isCanceling: after.cancelAtPeriodEnd,
    hasSchedule: scheduleIdOf(synced) !== null,
    pendingPriceId: after.pendingPriceId,
    unpaidPriceId: unpaidPriceOf(synced),
    isCollected: synced.subscription.pause_collection === null,
    owes: isInArrears(after.status) && (await openInvoiceOf(deps, synced)) !== null,
  };
}
