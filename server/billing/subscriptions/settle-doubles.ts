/**
 * A customer who has paid for two plans at once has completed two pages of the provider: the older subscription stays, the
 * newer one is paid back and ends, and a person is told. Whatever else stands beside a plan was meant by somebody: of a
 * second plan a person is told, of what is no plan nobody.
 */
import type { Alarms } from '../alarms.ts';
import { allPages } from '../provider/all-pages.ts';
import { isMissing, type ProviderCall, providerFacts } from '../provider/provider-call.ts';
import type { Stripe } from '../provider/stripe-client.ts';
import { idOf, isEnded, isLive } from './subscription-row.ts';
import type { SubscriptionStore } from './subscription-store.ts';

export interface SettleDeps {
  stripe: Stripe;
  call: ProviderCall;
  alarms: Alarms;
  subscriptions: Pick<SubscriptionStore, 'planOf'>;
}

/** Pages live half an hour: what was paid further apart was no slip of two tabs. */
const APART_S = 3600;
/** The one that stays must be in order, or the payment that goes back was the one that counts. */
const IN_ORDER: ReadonlySet<string> = new Set(['active', 'trialing']);

/** @returns ids of the subscriptions that have ended, by it or before */
export async function settleDoubles(deps: SettleDeps, customerId: string): Promise<string[]> {
  const { stripe, call, alarms } = deps;
  const all = await allPages(call, (page) =>
    stripe.subscriptions.list({ customer: customerId, status: 'all', expand: ['data.latest_invoice'], ...page }),
  );
  const ended = all.filter(({ status }) => isEnded(status)).map(({ id }) => id);
  const plans: Stripe.Subscription[] = [];
  for (const one of all) if (isLive(one.status) && (await sellsPlan(deps, one))) plans.push(one);
  const [kept, ...others] = plans.toSorted(byAge);
  if (kept === undefined) return ended;
  for (const other of others) {
    const isSettled = isDouble(other, kept);
    // Paid back first: were it ended first, nobody would come back to pay. Its end is told by what is written here.
    const refunded = isSettled ? await payBack(deps, other) : [];
    await alarms.raise('double-subscription', other.id, { customerId, kept: kept.id, isSettled, refunded });
    if (!isSettled) continue;
    await end(deps, other.id);
    ended.push(other.id);
  }
  return ended;
}

/** The older one first; of the same second by their ids' bytes, as the database has it: `otherLive` in told-store.ts. */
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

/** Its first payment is its only one, so that what is paid back is all that was paid. */
function isDouble(one: Stripe.Subscription, kept: Stripe.Subscription): boolean {
  const invoice = one.latest_invoice;
  const isNew = invoice === null || (typeof invoice !== 'string' && invoice.billing_reason === 'subscription_create');
  return isNew && IN_ORDER.has(kept.status) && one.created - kept.created <= APART_S;
}

const TOLD_WITH_THE_END = { kat_told: 'subscription_ended' };

/** The mail about the end of the second subscription says it: no mail of its own. */
export function isToldWithTheEnd({ metadata }: Pick<Stripe.Refund, 'metadata'>): boolean {
  return metadata?.kat_told === TOLD_WITH_THE_END.kat_told;
}

/** @returns ids of the payments that were paid back */
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
      // All of it, which goes back once by itself; under a key of ours a failure of the provider's would last a day.
      await call('refund', () =>
        stripe.refunds.create({ payment_intent: intent, reason: 'duplicate', metadata: TOLD_WITH_THE_END }),
      );
    } catch (error) {
      if (providerFacts(error)?.code !== 'charge_already_refunded') throw error;
    }
    paid.push(intent);
  }
  return paid;
}

async function end({ stripe, call }: SettleDeps, subscriptionId: string): Promise<void> {
  try {
    await call('subscription', () =>
      stripe.subscriptions.cancel(subscriptionId, { invoice_now: false, prorate: false }),
    );
  } catch (error) {
    // It has ended meanwhile.
    if (!isMissing(error)) throw error;
  }
}
