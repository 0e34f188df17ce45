import type { PLAN_CHANGE_FUNCTIONS } from '#domain/contract/plan-functions.ts';
import { AppError } from '#domain/errors/app-error.ts';
import type { FunctionHandlers } from '../../platform/http/calls/server-function.ts';
import type { BillingDeps } from '../billing-function.ts';
import { type PriceList, readPriceList } from '../prices.ts';
import type { Synced } from '../subscriptions/subscription-row.ts';
import { cancelAtPeriodEnd, undoCancellation } from './cancellation.ts';
import { releaseSchedule, scheduleDowngrade, scheduleIdOf } from './downgrade.ts';
import { ownSubscription, withRow } from './own-subscription.ts';
import { isInArrears, type PlanChange, planChange, type SubscriptionNow } from './plan-change.ts';
import { openInvoiceOf, openInvoiceUrl, quoteUpgrade, unpaidPriceOf, upgradeSubscription } from './upgrade.ts';

const FREE = 'free';
const DONE = true as const;

interface PlanRequest {
  userId: string;
  subscriptionId: string;
  priceId: string;
}

export function planChangeHandlers(deps: BillingDeps): FunctionHandlers<typeof PLAN_CHANGE_FUNCTIONS> {
  const { queue } = deps;
  return {
    'preview-invoice': ({ body, caller: { userId } }) =>
      queue.run(userId, () =>
        quoteOf(deps, { userId, subscriptionId: body.subscription_id, priceId: body.new_price_id }),
      ),
    'update-subscription'({ body, caller: { userId } }) {
      const request = { userId, subscriptionId: body.subscription_id, priceId: body.new_price_id };
      return queue.run(userId, () =>
        request.priceId === FREE ? switchToFree(deps, request) : switchToPaidPlan(deps, request),
      );
    },
    'cancel-subscription': ({ body, caller: { userId } }) =>
      queue.run(userId, () => switchToFree(deps, { userId, subscriptionId: body.subscription_id })),
    'resume-subscription': ({ body, caller: { userId } }) =>
      queue.run(userId, async () => {
        await undoCancellation(deps, await ownSubscription(deps, { userId, subscriptionId: body.subscription_id }));
        return { ok: true, ...(await withRow(deps, userId)) };
      }),
  };
}

/** @throws AppError `billing/not-previewable` for anything but a move to a higher plan */
async function quoteOf(deps: BillingDeps, { userId, subscriptionId, priceId }: PlanRequest) {
  const prices = await readPriceList(deps);
  const target = prices.onSale(priceId);
  const synced = await ownSubscription(deps, { userId, subscriptionId });
  const change = planChange(await subscriptionNow(deps, { synced, prices }), target);
  if (change.kind === 'refused') throw new AppError(change.code);
  if (change.kind !== 'upgrade') throw new AppError('billing/not-previewable');
  const { amountDueCents, prorationDate } = await quoteUpgrade(deps, synced, target.priceId);
  return { amount_due: amountDueCents, currency: 'usd' as const, proration_date: prorationDate };
}

/** At the period's end. */
async function switchToFree(deps: BillingDeps, request: Omit<PlanRequest, 'priceId'>) {
  const isNew = await cancelAtPeriodEnd(deps, await ownSubscription(deps, request));
  return { ok: DONE, ...(isNew ? {} : { already_set: DONE }), ...(await withRow(deps, request.userId)) };
}

async function switchToPaidPlan(deps: BillingDeps, request: PlanRequest) {
  const prices = await readPriceList(deps);
  const target = prices.onSale(request.priceId);
  const synced = await ownSubscription(deps, request);
  const change = planChange(await subscriptionNow(deps, { synced, prices }), target);
  if (change.kind === 'refused') throw new AppError(change.code);
  const redirectUrl = await applyPlanChange(deps, change.kind, synced, target.priceId);
  return { ok: DONE, ...(redirectUrl === null ? await withRow(deps, request.userId) : { redirect_url: redirectUrl }) };
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
