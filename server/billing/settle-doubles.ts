/**
 * A customer with two live subscriptions has paid twice: two pages of the provider were completed at the same time. The
 * older one stays, the newer one is paid back and ends, and a person is told.
 */
import type { Alarms } from './alarms.ts';
import { allPages } from './all-pages.ts';
import { isMissing, type ProviderCall, providerFacts } from './provider-call.ts';
import type { Stripe } from './stripe-client.ts';
import { idOf, isLive } from './subscription-row.ts';

export interface SettleDeps {
  stripe: Stripe;
  call: ProviderCall;
  alarms: Alarms;
}

/** @returns ids of the subscriptions that it ended */
export async function settleDoubles(deps: SettleDeps, customerId: string): Promise<string[]> {
  const { stripe, call, alarms } = deps;
  const all = await allPages(call, (page) =>
    stripe.subscriptions.list({ customer: customerId, status: 'all', expand: ['data.latest_invoice'], ...page }),
  );
  const [kept, ...doubles] = all
    .filter(({ status }) => isLive(status))
    .toSorted((a, b) => a.created - b.created || a.id.localeCompare(b.id));
  for (const double of doubles) {
    // Paid back first: were it ended first, nobody would come back to pay.
    const refunded = await payBack(deps, double);
    await end(deps, double.id);
    await alarms.raise('double-subscription', double.id, { customerId, kept: kept?.id ?? null, refunded });
  }
  return doubles.map(({ id }) => id);
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
    const options = { idempotencyKey: `double-refund-${intent}` };
    try {
      await call('refund', () => stripe.refunds.create({ payment_intent: intent, reason: 'duplicate' }, options));
    } catch (error) {
      if (providerFacts(error)?.code !== 'charge_already_refunded') throw error;
    }
    paid.push(intent);
  }
  return paid;
}

async function end({ stripe, call }: SettleDeps, subscriptionId: string): Promise<void> {
  const options = { idempotencyKey: `double-end-${subscriptionId}` };
  try {
    await call('subscription', () =>
      stripe.subscriptions.cancel(subscriptionId, { invoice_now: false, prorate: false }, options),
    );
  } catch (error) {
    // It has ended meanwhile.
    if (!isMissing(error)) throw error;
  }
}
