/** Subscriptions and their schedules in the provider's format; the period is on the item. */
import type Stripe from 'stripe';
import type { Schedule, Subscription } from '../model/records.ts';
import type { PaymentState } from '../model/state-store.ts';
import { planView, priceView, storedPrice } from './catalogue.ts';
import { wholeList } from './shared.ts';

export function subscriptionView(store: PaymentState, sub: Subscription): Stripe.Subscription {
  const pending = sub.pendingUpdate;
  return {
    id: sub.id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: sub.anchor,
    billing_cycle_anchor_config: null,
    billing_mode: BILLING_MODE,
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: sub.cancelAt,
    cancel_at_period_end: sub.cancelAtPeriodEnd,
    canceled_at: sub.canceledAt,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: sub.endReason },
    collection_method: 'charge_automatically',
    created: sub.created,
    currency: storedPrice(store, sub.price).currency,
    customer: sub.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: sub.defaultPaymentMethod,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: sub.endedAt,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: wholeList([itemView(store, sub, sub.price)], `/v1/subscription_items?subscription=${sub.id}`),
    latest_invoice: sub.latestInvoice,
    livemode: false,
    managed_payments: null,
    metadata: { ...sub.metadata },
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'on_subscription',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update:
      pending === null
        ? null
        : {
            billing_cycle_anchor: null,
            cancel_at_period_end: null,
            discount: null,
            discounts: null,
            expires_at: pending.expiresAt,
            metadata: null,
            subscription_items: [itemView(store, sub, pending.price)],
            trial_end: null,
            trial_from_plan: null,
          },
    schedule: sub.schedule,
    start_date: sub.created,
    status: sub.status,
    test_clock: store.get('customers', sub.customer)?.testClock ?? null,
    transfer_data: null,
    trial_end: sub.trialEnd,
    trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: sub.withoutCard } },
    trial_start: sub.trialStart,
  };
}

const BILLING_MODE = { flexible: { proration_discounts: 'included' }, type: 'flexible' } as const;

function itemView(store: PaymentState, sub: Subscription, priceId: string): Stripe.SubscriptionItem {
  const price = storedPrice(store, priceId);
  return {
    id: sub.itemId,
    object: 'subscription_item',
    billing_thresholds: null,
    created: sub.created,
    current_period_end: sub.periodEnd,
    current_period_start: sub.periodStart,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planView(price),
    price: priceView(price),
    quantity: 1,
    subscription: sub.id,
    tax_rates: [],
  };
}

export function scheduleView(store: PaymentState, schedule: Schedule, nowS: number): Stripe.SubscriptionSchedule {
  const isActive = schedule.status === 'active';
  const present = schedule.phases.find(({ startsAt, endsAt }) => startsAt <= nowS && nowS < endsAt);
  return {
    id: schedule.id,
    object: 'subscription_schedule',
    application: null,
    billing_mode: BILLING_MODE,
    canceled_at: schedule.canceledAt,
    completed_at: schedule.completedAt,
    created: schedule.created,
    current_phase:
      isActive && present !== undefined ? { start_date: present.startsAt, end_date: present.endsAt } : null,
    customer: schedule.customer,
    customer_account: null,
    default_settings: {
      application_fee_percent: null,
      automatic_tax: { disabled_reason: null, enabled: false, liability: null },
      billing_cycle_anchor: 'automatic',
      billing_thresholds: null,
      collection_method: 'charge_automatically',
      default_payment_method: null,
      description: null,
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        days_until_due: null,
        description: null,
        footer: null,
        issuer: { type: 'self' },
      },
      on_behalf_of: null,
      transfer_data: null,
    },
    end_behavior: schedule.endBehavior,
    livemode: false,
    metadata: { ...schedule.metadata },
    pause_schedules: [],
    phases: schedule.phases.map((phase) => ({
      add_invoice_items: [],
      application_fee_percent: null,
      billing_cycle_anchor: null,
      billing_thresholds: null,
      collection_method: null,
      currency: storedPrice(store, phase.price).currency,
      default_payment_method: null,
      default_tax_rates: [],
      description: null,
      discounts: [],
      end_date: phase.endsAt,
      invoice_settings: null,
      items: [
        {
          billing_thresholds: null,
          discounts: [],
          metadata: {},
          plan: phase.price,
          price: phase.price,
          quantity: 1,
          tax_rates: [],
        },
      ],
      metadata: {},
      on_behalf_of: null,
      proration_behavior: phase.prorationBehavior,
      start_date: phase.startsAt,
      transfer_data: null,
      trial_end: null,
    })),
    released_at: schedule.releasedAt,
    released_subscription: schedule.status === 'released' ? schedule.subscription : null,
    status: schedule.status,
    subscription: isActive ? schedule.subscription : null,
    test_clock: store.get('customers', schedule.customer)?.testClock ?? null,
  };
}
