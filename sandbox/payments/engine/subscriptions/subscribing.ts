/** A new subscription: with a trial, paid immediately, or waiting for its first payment. */
import { monthsAfter } from '../../model/clocks.ts';
import type { Invoice, Subscription } from '../../model/records.ts';
import { invalid } from '../../model/refusal.ts';
import { cardOf, chargeInvoice, refusalOf } from '../payments/charging.ts';
import { draftInvoice, finalize, periodLine, trialLine } from '../payments/invoices.ts';
import { afterPaid } from '../subscription-status.ts';
import { announce, stored, type Work } from '../work.ts';

const INCOMPLETE_S = 23 * 3600;

export interface NewSubscription extends Pick<Subscription, 'customer' | 'price' | 'metadata'> {
  paymentMethod: string | null;
  status: 'incomplete' | 'trialing' | 'active';
  /** Epoch seconds, in the future; trials only. */
  trialEnd?: number;
  withoutCard?: Subscription['withoutCard'];
}

export type FirstPayment = 'default_incomplete' | 'allow_incomplete' | 'error_if_incomplete';

/** @throws PaymentRefusal without a means of payment; 402 if the caller wants an error for an incomplete payment */
export function subscribe(work: Work, facts: NewSubscription, firstPayment: FirstPayment): Subscription {
  const { draft } = work;
  const { id } = newSubscription(work, facts);
  const invoice = firstInvoice(work, stored(draft, 'subscriptions', id));
  const isTried = invoice.due === 0 || firstPayment !== 'default_incomplete';
  const paymentMethod = cardOf(work, id);
  if (isTried && invoice.due > 0 && paymentMethod === null)
    throw invalid(
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
      { code: 'resource_missing' },
    );
  if (isTried) {
    const outcome = chargeInvoice(work, invoice.id, { paymentMethod });
    if (outcome.kind === 'paid') afterPaid(work, invoice.id);
    else if (firstPayment === 'error_if_incomplete') throw refusalOf(outcome);
  }
  return stored(draft, 'subscriptions', id);
}

export function newSubscription(work: Work, facts: NewSubscription): Subscription {
  const { draft, atS } = work;
  const anchor = facts.trialEnd ?? atS;
  const isTrial = facts.trialEnd !== undefined;
  const sub = draft.put('subscriptions', {
    id: draft.newId('sub'),
    created: atS,
    customer: facts.customer,
    status: facts.status,
    itemId: draft.newId('si'),
    price: facts.price,
    anchor,
    periodNumber: isTrial ? 0 : 1,
    periodStart: atS,
    periodEnd: isTrial ? anchor : monthsAfter(anchor, 1),
    cancelAtPeriodEnd: false,
    cancelAt: null,
    canceledAt: null,
    endedAt: null,
    endReason: null,
    trialStart: isTrial ? atS : null,
    trialEnd: facts.trialEnd ?? null,
    withoutCard: facts.withoutCard ?? 'create_invoice',
    incompleteUntil: facts.status === 'incomplete' ? atS + INCOMPLETE_S : null,
    metadata: facts.metadata,
    defaultPaymentMethod: facts.paymentMethod,
    latestInvoice: null,
    schedule: null,
    pendingUpdate: null,
    resumption: null,
  });
  announce(work, 'customer.subscription.created', 'subscriptions', sub.id);
  return sub;
}

/** Open and to be paid next; zero for a trial. */
export function firstInvoice(work: Work, sub: Subscription): Invoice {
  const line = sub.status === 'trialing' ? trialLine : periodLine;
  const lines = [line(work, sub, stored(work.draft, 'prices', sub.price))];
  return finalize(work, draftInvoice(work, sub, { reason: 'subscription_create', lines }).id);
}
