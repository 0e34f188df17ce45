/** The sandbox's stored data: plain JSON, one type per table. Times are epoch seconds, amounts cents. */
import type { CardBehaviour, TestCard } from './cards.ts';

export type Metadata = Readonly<Record<string, string>>;

interface Row {
  id: string;
  created: number;
}

export interface Customer extends Row {
  email: string | null;
  name: string | null;
  metadata: Metadata;
  balance: number;
  defaultPaymentMethod: string | null;
  testClock: string | null;
  /** Declines this many next charges, whatever the card would do. */
  nextDeclines: { behaviour: CardBehaviour; times: number } | null;
  isDeleted: boolean;
}

export interface Product extends Row {
  isActive: boolean;
  name: string;
  description: string | null;
  metadata: Metadata;
}

/** Monthly, the only interval sold. */
export interface Price extends Row {
  isActive: boolean;
  product: string;
  unitAmount: number;
  currency: string;
  lookupKey: string | null;
  nickname: string | null;
  metadata: Metadata;
}

export interface PaymentMethod extends Row {
  customer: string | null;
  card: TestCard;
}

export interface CheckoutSession extends Row {
  status: 'open' | 'complete' | 'expired';
  customer: string;
  clientReferenceId: string | null;
  price: string;
  successUrl: string;
  cancelUrl: string | null;
  expiresAt: number;
  metadata: Metadata;
  subscriptionMetadata: Metadata;
  subscription: string | null;
  invoice: string | null;
}

export interface PendingUpdate {
  price: string;
  invoice: string;
  expiresAt: number;
}

/** A paused subscription resumes when this is paid. */
export interface Resumption {
  invoice: string;
  /** Start of its months from then on. */
  anchor: number;
  expiresAt: number;
}

export interface Subscription extends Row {
  customer: string;
  status: 'incomplete' | 'incomplete_expired' | 'trialing' | 'active' | 'past_due' | 'unpaid' | 'paused' | 'canceled';
  itemId: string;
  price: string;
  /** Periods are months counted from here. */
  anchor: number;
  /** Months from the anchor to the present period's end; 0: the trial, which ends at the anchor. */
  periodNumber: number;
  periodStart: number;
  periodEnd: number;
  cancelAtPeriodEnd: boolean;
  cancelAt: number | null;
  canceledAt: number | null;
  endedAt: number | null;
  endReason: 'cancellation_requested' | 'payment_failed' | null;
  trialStart: number | null;
  trialEnd: number | null;
  /** The effect of a trial's end without a card. */
  withoutCard: 'create_invoice' | 'pause' | 'cancel';
  /** When an incomplete subscription expires. */
  incompleteUntil: number | null;
  metadata: Metadata;
  defaultPaymentMethod: string | null;
  latestInvoice: string | null;
  schedule: string | null;
  pendingUpdate: PendingUpdate | null;
  resumption: Resumption | null;
}

export interface InvoiceLine {
  id: string;
  amount: number;
  description: string;
  price: string;
  unitAmount: number;
  isProration: boolean;
  periodStart: number;
  periodEnd: number;
}

export interface Invoice extends Row {
  customer: string;
  subscription: string;
  subscriptionItem: string;
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  lines: readonly InvoiceLine[];
  total: number;
  due: number;
  startingBalance: number;
  endingBalance: number | null;
  number: string | null;
  prorationDate: number | null;
  periodStart: number;
  periodEnd: number;
  finalizesAt: number | null;
  finalizedAt: number | null;
  paidAt: number | null;
  voidedAt: number | null;
  attempts: number;
  firstFailedAt: number | null;
  nextAttemptAt: number | null;
  paymentIntent: string | null;
}

export interface PaymentIntent extends Row {
  customer: string;
  invoice: string;
  amount: number;
  status: 'succeeded' | 'requires_payment_method' | 'requires_action' | 'canceled';
  paymentMethod: string | null;
  latestCharge: string | null;
}

export interface Charge extends Row {
  customer: string;
  paymentIntent: string;
  paymentMethod: string;
  amount: number;
  refunded: number;
  failureCode: string | null;
  failureMessage: string | null;
}

export interface Refund extends Row {
  charge: string;
  paymentIntent: string;
  amount: number;
  reason: string | null;
  metadata: Metadata;
}

export interface SchedulePhase {
  price: string;
  startsAt: number;
  endsAt: number;
  prorationBehavior: string;
}

export interface Schedule extends Row {
  customer: string;
  subscription: string;
  status: 'active' | 'completed' | 'released' | 'canceled';
  endBehavior: 'release' | 'cancel';
  phases: readonly SchedulePhase[];
  begun: number;
  metadata: Metadata;
  completedAt: number | null;
  releasedAt: number | null;
  canceledAt: number | null;
}

export interface TestClock extends Row {
  name: string | null;
  frozenTime: number;
  isDeleted: boolean;
}

export interface PortalSession extends Row {
  customer: string;
  returnUrl: string | null;
}

export interface StoredEvent extends Row {
  type: string;
  /** The object's state at that time, in the provider's format. */
  object: unknown;
  /** For an `….updated` event: the changed attributes' previous values; else null. */
  previous: unknown;
  idempotencyKey: string | null;
  /** On the machine's clock, whatever the customer's clock shows. */
  sentFirstS: number;
  /** The site has accepted it, or does not need it. */
  isSettled: boolean;
}

/** The stored answer to a call with an idempotency key; the key is the id. */
export interface StoredAnswer extends Row {
  /** Of method, path and parameters. */
  fingerprint: string;
  status: number;
  body: string;
}

export interface Settings extends Row {
  /** Added to the machine's clock. */
  offsetS: number;
  defaultTestClock: string | null;
  afterRetries: 'cancel' | 'unpaid' | 'past_due';
  invoiceCount: number;
}

export interface PaymentTables {
  customers: Customer;
  products: Product;
  prices: Price;
  paymentMethods: PaymentMethod;
  sessions: CheckoutSession;
  subscriptions: Subscription;
  invoices: Invoice;
  paymentIntents: PaymentIntent;
  charges: Charge;
  refunds: Refund;
  schedules: Schedule;
  testClocks: TestClock;
  portalSessions: PortalSession;
  events: StoredEvent;
  answers: StoredAnswer;
  settings: Settings;
}

export type TableName = keyof PaymentTables;
