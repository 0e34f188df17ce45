/**
 * A customer who completed two pages at the same time keeps the older subscription; the newer one is refunded and
 * ended. Other second plans were bought on purpose: they only raise an alarm.
 */
import type { Alarms } from '../alarms.ts';
import { allPages, type ProviderCall, providerFacts, type Stripe, unlessMissing } from '../provider/provider-call.ts';
import { idOf, isEnded, isLive } from './subscription-row.ts';
import type { SubscriptionStore } from './subscription-store.ts';

export interface SettleDeps {
  stripe: Stripe;
  call: ProviderCall;
  alarms: Alarms;
  subscriptions: Pick<SubscriptionStore, 'planOf'>;
}

/** Pages last half an hour; payments further apart than this aren't an accident with two tabs. */
const APART_S = 3600;
/** The remaining subscription must be paid, or the refund would return the only valid payment. */
const IN_ORDER: ReadonlySet<string> = new Set(['active', 'trialing']);

/** @returns ids of the subscriptions that have ended, through this call or before */
export async function settleDoubles(deps: SettleDeps, customerId: string): Promise<string[]> {
  const { stripe, call, alarms } = deps;
  const all = await allPages(call, (page) =>
    stripe.subscriptions.list({ customer: customerId, status: 'all', expand: ['data.latest_invoice'], ...page }),
  );
  const ended = all.filter(({ status }) => isEnded(status)).map(({ id }) => id);
  const plans: Stripe.Subscription[] = [];
  for (const one of all) if (isLive(one.status) && (await sellsPlan(deps, one))) plans.push(one);
  const [retained, ...others] = plans.toSorted(byAge);
  if (retained === undefined) return ended;
  for (const other of others) {
    const isSettled = isDouble(other, retained);
    // Refund first: if it were ended first, a failed refund would never be retried. This alarm also decides the mail
    // about its end.
    const refunded = isSettled ? await payBack(deps, other) : [];
    await alarms.raise('double-subscription', other.id, { customerId, kept: retained.id, isSettled, refunded });
    if (!isSettled) continue;
    await end(deps, other.id);
    ended.push(other.id);
  }
  return ended;
}

/** The older one first; within one second by the bytes of their ids, like `otherLive` in notice-store.ts. */
export function byAge(
  a: Pick<Stripe.Subscription, 'id' | 'created'>,
  b: Pick<Stripe.Subscription, 'id' | 'created'>,
): number {
  return a.created - b.created || (a.id < b.id ? -1 : 1);
}

async function sellsPlan({ subscriptions }: SettleDeps, { items }: Stripe.Subscription): Promise<boolean> {
  const priceId = items.data[0]?.price.id;
  return priceId !== undefined && (await subscriptions.planOf(priceId)) !== null;
}

/** Its first payment is its only one, so the refund covers everything paid. */
function isDouble(one: Stripe.Subscription, retained: Stripe.Subscription): boolean {
  const invoice = one.latest_invoice;
  const isNew = invoice === null || (typeof invoice !== 'string' && invoice.billing_reason === 'subscription_create');
  return isNew && IN_ORDER.has(retained.status) && one.created - retained.created <= APART_S;
}

const REFUND_METADATA = { kat_told: 'subscription_ended' };

/** The mail about the second subscription's end covers the refund, so it gets no separate mail. */
export function isMailedWithPlanEnd({ metadata }: Pick<Stripe.Refund, 'metadata'>): boolean {
  return metadata?.kat_told === REFUND_METADATA.kat_told;
}

/** @returns ids of the refunded payments */
async function payBack({ stripe, call }: SettleDeps, { latest_invoice }: Stripe.Subscription): Promise<string[]> {
  if (latest_invoice === null) return [];
  const payments = await allPages(call, (page) =>
    stripe.invoicePayments.list({ invoice: idOf(latest_invoice), ...page }),
  );
  const paid: string[] = [];
  for (const { status, payment } of payments) {
    if (status !== 'paid' || payment.payment_intent == null) continue;
    const intent = idOf(payment.payment_intent);
    try {
      // A full refund happens only once even without a key. With our own key, a failure at the provider would last a
      // day.
      await call('refund', () =>
        stripe.refunds.create({ payment_intent: intent, reason: 'duplicate', metadata: REFUND_METADATA }),
      );
    } catch (error) {
      if (providerFacts(error)?.code !== 'charge_already_refunded') throw error;
    }
    paid.push(intent);
  }
  return paid;
}

async function end({ stripe, call }: SettleDeps, subscriptionId: string): Promise<void> {
  await unlessMissing(() =>
    call('subscription', () => stripe.subscriptions.cancel(subscriptionId, { invoice_now: false, prorate: false })),
  );
}
