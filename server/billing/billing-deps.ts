/** The interfaces that the parts of billing share. Provider times are epoch seconds, money is US cents. */
import type { Clock } from '#domain/time/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { Logger } from '../platform/telemetry/log.ts';
import type { PaymentsSource } from './provider/payments-source.ts';
import type { ProviderCall } from './provider/provider-call.ts';
import type { Stripe } from './provider/stripe-client.ts';

/** A row of stripe_subscriptions, as last written. */
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
  /** Null when the subscription is new here. */
  before: StoredSubscription | null;
  after: StoredSubscription;
  /** The provider's current state, with default_payment_method, schedule and latest_invoice expanded. */
  subscription: Stripe.Subscription;
}

/** The only writer of subscription rows and cards: reads the provider, then writes with a ticket. */
export interface SubscriptionSync {
  /**
   * @returns null for an unknown customer. @throws AppError `billing/provider-unavailable`, `billing/provider-refused`
   */
  one(subscriptionId: string): Promise<Synced | null>;
  /** Syncs every subscription that the customer has at the provider. */
  ofCustomer(customerId: string): Promise<Synced[]>;
}

export interface Customers {
  /** The user's customer at the provider in the current mode, created if missing. Concurrent calls create only one. */
  ensure(userId: string): Promise<string>;
  /** Null when the user has no customer in the current mode. */
  of(userId: string): Promise<string | null>;
}

/** Called after each sync and for each invoice or refund event; mails the owner once about each change. */
export interface BillingNotices {
  afterSync(synced: Synced): Promise<void>;
  /** @param invoice  the provider's current state of it */
  ofInvoice(invoice: Stripe.Invoice): Promise<void>;
  /** @param refunds  all refunds of the charge, in the provider's current state */
  ofRefunds(charge: Stripe.Charge, refunds: readonly Stripe.Refund[]): Promise<void>;
}

/** Serializes the changes of each user's subscription within this process. */
export interface UserQueue {
  /** @throws AppError `billing/busy` when too many are queued */
  run<T>(userId: string, work: () => Promise<T>): Promise<T>;
}

export interface BillingDeps {
  database: Database;
  clock: Clock;
  log: Logger;
  mode: PaymentsSource['mode'];
  stripe: Stripe;
  /** Wraps every call of `stripe`. */
  call: ProviderCall;
  /** The prices on sale, from the settings. */
  priceIds: { bobcat: string; lion: string };
  /** True for an address of this site. */
  isOwnAddress(url: string): boolean;
  customers: Customers;
  sync: SubscriptionSync;
  queue: UserQueue;
}
