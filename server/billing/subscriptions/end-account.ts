import { dollars } from '#domain/format/dollars.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import type { PaymentsSource } from '../provider/payments-source.ts';
import {
  allPages,
  isMissing,
  openProviderCall,
  type ProviderCall,
  type Stripe,
  unlessMissing,
} from '../provider/provider-call.ts';
import { openStripe } from '../provider/stripe-client.ts';
import { isEnded } from './subscription-row.ts';

export interface AccountEnder {
  mode: PaymentsSource['mode'];
  endAll(customerId: string): Promise<string | null>;
}

/**
 * @returns ends all subscriptions immediately, without a refund, and all open checkouts; or, if money is owed, none, and
 * names the amount
 */
export function accountEnder(source: PaymentsSource, { log }: { log: Logger }): AccountEnder {
  const stripe = openStripe(source);
  const call = openProviderCall({ log });
  return { mode: source.mode, endAll: (customerId) => endAll(stripe, call, customerId) };
}

async function endAll(stripe: Stripe, call: ProviderCall, customerId: string): Promise<string | null> {
  let subscriptions: Stripe.Subscription[];
  try {
    const open = await allPages(call, (page) =>
      stripe.invoices.list({ customer: customerId, status: 'open', ...page }),
    );
    const owed = open.reduce((sum, invoice) => sum + invoice.amount_remaining, 0);
    if (owed > 0)
      return `${customerId} owes ${dollars(owed)} (${open.map(({ id }) => id).join(', ')}). Collect or void that at the payment provider first.`;
    await expireCheckouts(stripe, call, customerId);
    subscriptions = await allPages(call, (page) =>
      stripe.subscriptions.list({ customer: customerId, status: 'all', ...page }),
    );
  } catch (error) {
    // The customer is deleted there: nothing runs and nothing is owed.
    if (isMissing(error)) return null;
    throw error;
  }
  for (const { id, status } of subscriptions) {
    if (isEnded(status)) continue;
    // Null if it has ended meanwhile.
    await unlessMissing(() =>
      call('subscription', () => stripe.subscriptions.cancel(id, { invoice_now: false, prorate: false })),
    );
  }
  return null;
}

/** Runs before the subscriptions are listed: one that was paid meanwhile is then among them. */
async function expireCheckouts(stripe: Stripe, call: ProviderCall, customer: string): Promise<void> {
  const open = await allPages(call, (page) => stripe.checkout.sessions.list({ customer, status: 'open', ...page }));
  for (const { id } of open) {
    try {
      await call('checkout.session', () => stripe.checkout.sessions.expire(id));
    } catch (error) {
      const now = await call('checkout.session', () => stripe.checkout.sessions.retrieve(id));
      if (now.status === 'open') throw error;
    }
  }
}
