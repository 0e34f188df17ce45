/** What the parts of billing give each other. Times of the provider are epoch seconds, money is US cents. */
import type { Clock } from '#domain/time/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { Logger } from '../platform/telemetry/log.ts';
import type { PaymentsSource } from './provider/payments-source.ts';
import type { ProviderCall } from './provider/provider-call.ts';
import type { Stripe } from './provider/stripe-client.ts';

/** A row of stripe_subscriptions, as it was written last. */
export interface StoredSubscription {
  subscriptionId: string;
  customerId: string;
  priceId: string | null;
  status: string;
  currentPeriodStart: number | null;
  currentPeriodEnd: number | null;
  cancelAtPeriodEnd: boolean;
  cancelAt: number | null;
  endedAt: number | null;
  pendingSubscriptionId: string | null;
  pendingPriceId: string | null;
  latestInvoiceId: string | null;
}

export interface Synced {
  /** Null: the first time it is seen. */
  before: StoredSubscription | null;
  after: StoredSubscription;
  /** As the provider has it now, with default_payment_method, schedule and latest_invoice expanded. */
  subscription: Stripe.Subscription;
}

/** The only writer of subscription rows and cards: reads the provider, then writes with a ticket. */
export interface SubscriptionSync {
  /** @returns null for a customer that is none of ours. @throws AppError `billing/provider-unavailable`, `billing/provider-refused` */
  one(subscriptionId: string): Promise<Synced | null>;
  /** Every subscription of the customer at the provider. */
  ofCustomer(customerId: string): Promise<Synced[]>;
}

export interface Customers {
  /** The user's customer at the provider in the mode in use, made when there is none. Two calls make one. */
  ensure(userId: string): Promise<string>;
  /** Null while there is none in the mode in use. */
  of(userId: string): Promise<string | null>;
}

/** Told after each sync and of each event of an invoice or a refund; tells the owner by mail, each thing once. */
export interface BillingNotices {
  afterSync(synced: Synced): Promise<void>;
  /** @param invoice  as the provider has it now */
  ofInvoice(invoice: Stripe.Invoice): Promise<void>;
  /** @param refunds  all of the charge's, as the provider has them now */
  ofRefunds(charge: Stripe.Charge, refunds: readonly Stripe.Refund[]): Promise<void>;
}

/** One change of a user's subscription at a time within this process. */
export interface UserQueue {
  /** @throws AppError `billing/busy` when too many wait */
  run<T>(userId: string, work: () => Promise<T>): Promise<T>;
}

export interface BillingDeps {
  database: Database;
  clock: Clock;
  log: Logger;
  mode: PaymentsSource['mode'];
  stripe: Stripe;
  /** Around every call of `stripe`. */
  call: ProviderCall;
  /** Of the settings: what may be bought now. */
  priceIds: { bobcat: string; lion: string };
  /** True for an address of this site. */
  isOwnAddress(url: string): boolean;
  customers: Customers;
  sync: SubscriptionSync;
  queue: UserQueue;
}
