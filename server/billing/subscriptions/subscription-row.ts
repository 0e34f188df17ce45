/** Converts the provider's subscription to our row. Pure: only this file knows where the provider puts each fact. */
import * as z from 'zod/mini';
import { SUBSCRIPTION_STATUSES } from '#domain/billing/subscription.ts';
import type { Stripe } from '../provider/provider-call.ts';

const optionalNumber = z.nullable(z.number());
const optionalText = z.nullable(z.string());

/** A row of stripe_subscriptions, as last written. Times are epoch seconds. */
export const storedSubscription = z.object({
  subscriptionId: z.string(),
  customerId: z.string(),
  priceId: optionalText,
  status: z.string(),
  currentPeriodStart: optionalNumber,
  currentPeriodEnd: optionalNumber,
  cancelAtPeriodEnd: z.boolean(),
  cancelAt: optionalNumber,
  endedAt: optionalNumber,
  pendingSubscriptionId: optionalText,
  pendingPriceId: optionalText,
  latestInvoiceId: optionalText,
});
export type StoredSubscription = z.infer<typeof storedSubscription>;

export interface Synced {
  /** Null when the subscription is new here. */
  before: StoredSubscription | null;
  after: StoredSubscription;
  /** The provider's current state, with default_payment_method, schedule and latest_invoice expanded. */
  subscription: Stripe.Subscription;
}

/** The row to write, plus two fields that only the page shows. */
export interface WrittenSubscription extends StoredSubscription {
  paymentMethodBrand: string | null;
  paymentMethodLast4: string | null;
  /** Epoch seconds. */
  stripeCreated: number;
}

export interface StoredCard {
  paymentMethodId: string;
  brand: string | null;
  last4: string | null;
  expMonth: number | null;
  expYear: number | null;
  isDefault: boolean;
  /** Epoch seconds. */
  createdS: number;
}

type StripeSubscription = Pick<
  Stripe.Subscription,
  'id' | 'status' | 'customer' | 'created' | 'cancel_at' | 'cancel_at_period_end' | 'ended_at' | 'latest_invoice'
> & {
  items: { data: readonly { price: { id: string }; current_period_start: number; current_period_end: number }[] };
  default_payment_method: string | StripeCard | null;
  schedule: string | StripeSchedule | null;
};
type StripeCard = Pick<Stripe.PaymentMethod, 'id' | 'type'> & {
  card?: Pick<Stripe.PaymentMethod.Card, 'brand' | 'last4' | 'exp_month' | 'exp_year'>;
};
type StripeSchedule = Pick<Stripe.SubscriptionSchedule, 'id' | 'status' | 'current_phase'> & {
  phases: readonly { start_date: number; items: readonly { price: string | { id: string } }[] }[];
};

const ENDED: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired']);
/** A customer should have only one of these; a second one is a mistake. */
const LIVE: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due', 'unpaid', 'paused']);

export function isLive(status: string): boolean {
  return LIVE.has(status);
}

export function isEnded(status: string): boolean {
  return ENDED.has(status);
}

/** False for a status that the provider added later, whose meaning here is unknown. */
export function isKnownStatus(status: string): boolean {
  return SUBSCRIPTION_STATUSES.some((known) => known === status);
}

/** @param customerCard from the customer's invoice settings: charged if the subscription names no card */
export function subscriptionRow(
  subscription: StripeSubscription,
  customerCard: StripeCard | null,
): WrittenSubscription {
  const { id, status, cancel_at, ended_at, latest_invoice } = subscription;
  const item = subscription.items.data[0];
  const priceId = item?.price.id ?? null;
  const shown = expanded(subscription.default_payment_method) ?? customerCard;
  const pending = pendingChange(expanded(subscription.schedule), priceId);
  return {
    subscriptionId: id,
    customerId: idOf(subscription.customer),
    priceId,
    status,
    currentPeriodStart: item?.current_period_start ?? null,
    // An immediate end leaves the period's end in the future, which would start the two hours of grace a month late.
    currentPeriodEnd: smaller(item?.current_period_end ?? null, ended_at),
    // A cancellation on the provider's own pages sets a time, without the flag.
    cancelAtPeriodEnd: subscription.cancel_at_period_end || (cancel_at !== null && !isEnded(status)),
    cancelAt: cancel_at,
    endedAt: ended_at,
    pendingSubscriptionId: pending?.scheduleId ?? null,
    pendingPriceId: pending?.priceId ?? null,
    latestInvoiceId: latest_invoice === null ? null : idOf(latest_invoice),
    paymentMethodBrand: brandOf(shown),
    paymentMethodLast4: shown?.card?.last4 ?? null,
    stripeCreated: subscription.created,
  };
}

/** @param defaultId  the customer's default; null without one */
export function cardOf(method: StripeCard & { created: number }, defaultId: string | null): StoredCard {
  return {
    paymentMethodId: method.id,
    brand: brandOf(method),
    last4: method.card?.last4 ?? null,
    expMonth: method.card?.exp_month ?? null,
    expYear: method.card?.exp_year ?? null,
    isDefault: method.id === defaultId,
    createdS: method.created,
  };
}

/** A schedule alone means nothing: it stays attached after its downgrade, and a half-made one has no second phase. */
function pendingChange(
  schedule: StripeSchedule | null,
  priceId: string | null,
): { scheduleId: string; priceId: string } | null {
  const present = schedule?.current_phase;
  if (schedule === null || schedule.status !== 'active' || present == null) return null;
  for (const { start_date, items } of schedule.phases) {
    const price = items[0]?.price;
    const next = price === undefined ? null : idOf(price);
    if (start_date >= present.end_date && next !== null && next !== priceId)
      return { scheduleId: schedule.id, priceId: next };
  }
  return null;
}

function brandOf(method: StripeCard | null): string | null {
  return method === null ? null : (method.card?.brand ?? method.type);
}

export function idOf(reference: string | { id: string }): string {
  return typeof reference === 'string' ? reference : reference.id;
}

function expanded<T extends object>(reference: string | T | null): T | null {
  return typeof reference === 'string' ? null : reference;
}

function smaller(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}
