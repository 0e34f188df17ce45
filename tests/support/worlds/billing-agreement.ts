/**
 * An independent mapping from the provider's own terms, so that a mistake in the product's mapping is not repeated
 * here.
 */
import type Stripe from 'stripe';
import { type Database, SERVICE } from '../../../server/platform/database/database.ts';

export interface Disagreement {
  of: string;
  field: string;
  provider: unknown;
  row: unknown;
}

export async function disagreements(
  { stripe, database }: { stripe: Stripe; database: Database },
  userId: string,
): Promise<Disagreement[]> {
  const found: Disagreement[] = [];
  const compare = (of: string, provider: Record<string, unknown>, row: Record<string, unknown> | undefined) => {
    for (const [field, value] of Object.entries(provider))
      if (JSON.stringify(row?.[field] ?? null) !== JSON.stringify(value ?? null))
        found.push({ of, field, provider: value ?? null, row: row?.[field] ?? null });
  };

  const [customer] = await database.query(
    SERVICE,
    'select customer_id from public.stripe_customers where user_id = $1 and customer_id is not null',
    [userId],
  );
  const theirs = (await stripe.customers.search({ query: `metadata['user_id']:'${userId}'` })).data;
  compare(userId, { customers: theirs.map(({ id }) => id) }, { customers: customer ? [customer.customer_id] : [] });
  const customerId = theirs[0]?.id;
  if (customerId === undefined) return found;

  const expand = ['data.default_payment_method', 'data.schedule'];
  const subscriptions = (await stripe.subscriptions.list({ customer: customerId, status: 'all', limit: 100, expand }))
    .data;
  const cards = (await stripe.customers.listPaymentMethods(customerId, { limit: 100 })).data;
  const { default_payment_method } = await invoiceSettings(stripe, customerId);
  const rows = await database.query(SERVICE, 'select * from public.stripe_subscriptions where customer_id = $1', [
    customerId,
  ]);
  compare(
    customerId,
    { subscriptions: subscriptions.map(({ id }) => id).sort() },
    { subscriptions: rows.map((row) => String(row.subscription_id)).sort() },
  );
  const defaultCard = cards.find(({ id }) => id === default_payment_method);
  for (const subscription of subscriptions) {
    const row = rows.find(({ subscription_id }) => subscription_id === subscription.id);
    compare(subscription.id, expectedRow(subscription, defaultCard), row);
  }
  const cardRows = await database.query(SERVICE, 'select * from public.payment_methods where user_id = $1', [userId]);
  compare(
    customerId,
    { cards: cards.map(({ id }) => id).sort() },
    { cards: cardRows.map((row) => String(row.payment_method_id)).sort() },
  );
  for (const { id, card } of cards) {
    const facts = { brand: card?.brand, last4: card?.last4, exp_month: card?.exp_month, exp_year: card?.exp_year };
    const row = cardRows.find(({ payment_method_id }) => payment_method_id === id);
    compare(id, { ...facts, is_default: id === default_payment_method }, row);
  }
  return found;
}

function expectedRow(sub: Stripe.Subscription, defaultCard: Stripe.PaymentMethod | undefined): Record<string, unknown> {
  const item = sub.items.data[0];
  const hasEnded = sub.status === 'canceled' || sub.status === 'incomplete_expired';
  const shown = typeof sub.default_payment_method === 'object' ? sub.default_payment_method : null;
  const schedule = typeof sub.schedule === 'object' ? sub.schedule : null;
  const boundary = schedule?.current_phase?.end_date ?? Number.POSITIVE_INFINITY;
  const later = schedule?.phases
    .filter(({ start_date }) => start_date >= boundary)
    .map(({ items }) => items[0]?.price)
    .find((price) => price !== item?.price.id);
  const ends = [item?.current_period_end, sub.ended_at].filter((end) => typeof end === 'number');
  return {
    status: sub.status,
    price_id: item?.price.id,
    current_period_start: item?.current_period_start,
    current_period_end: Math.min(...ends),
    cancel_at_period_end: sub.cancel_at_period_end || (sub.cancel_at !== null && !hasEnded),
    cancel_at: sub.cancel_at,
    ended_at: sub.ended_at,
    pending_price_id: later,
    pending_subscription_id: later === undefined ? null : schedule?.id,
    latest_invoice_id: sub.latest_invoice,
    stripe_created: sub.created,
    payment_method_brand: (shown ?? defaultCard)?.card?.brand,
    payment_method_last4: (shown ?? defaultCard)?.card?.last4,
  };
}

async function invoiceSettings(stripe: Stripe, customerId: string): Promise<{ default_payment_method: string | null }> {
  const customer = await stripe.customers.retrieve(customerId);
  const chosen = customer.deleted === true ? null : customer.invoice_settings.default_payment_method;
  return { default_payment_method: typeof chosen === 'object' ? (chosen?.id ?? null) : chosen };
}
