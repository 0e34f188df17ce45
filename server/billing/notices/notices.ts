/**
 * Mails a subscriber about payments, failed payments and plan changes. Each is mailed once, even if events arrive
 * twice, late or out of order: the notice is recorded in the transaction that queues the mail.
 */
import { isAppError } from '#domain/errors/app-error.ts';
import type { Core } from '../../core.ts';
import { asOwner, OWNER, type Transaction } from '../../platform/database/database.ts';
import type { MailBrand } from '../../platform/mail/mail-layout.ts';
import { type OutgoingMail, queueMail } from '../../platform/mail/mail-queue.ts';
import type { PaymentsSource } from '../provider/payments-source.ts';
import { openProviderCall, type Stripe } from '../provider/provider-call.ts';
import { isMailedWithPlanEnd } from '../subscriptions/settle-doubles.ts';
import { idOf, type StoredSubscription, type Synced } from '../subscriptions/subscription-row.ts';
import { type BillingSite, datesIn } from './mails/billing-mail.ts';
import { type InvoiceFacts, invoiceFacts } from './mails/invoice-facts.ts';
import { paymentFailedMail, receiptMail, refundMail } from './mails/payment-mails.ts';
import { planMail } from './mails/plan-mail.ts';
import {
  type DueNotice,
  findDueNotices,
  isNoticeSent,
  listNotices,
  lockSubscription,
  type Notice,
  otherLive,
  plansByPrice,
  type Recipient,
  recipientOf,
  recordNotice,
  wasPaidBack,
} from './notice-store.ts';

/** Called after each sync and for each invoice or refund event; mails the owner once about each change. */
export interface BillingNotices {
  afterSync(synced: Synced): Promise<void>;
  /** @param invoice  the provider's current state of it */
  ofInvoice(invoice: Stripe.Invoice): Promise<void>;
  /** @param refunds  all refunds of the charge, in the provider's current state */
  ofRefunds(charge: Stripe.Charge, refunds: readonly Stripe.Refund[]): Promise<void>;
}

export interface NoticeDeps extends Pick<Core, 'database' | 'clock' | 'log'> {
  mode: PaymentsSource['mode'];
  stripe: Stripe;
  brand: MailBrand;
  /** Origin of the site, for the link to the subscription page. */
  siteUrl(): string;
  /** False when no mail transport is set up. Notices are still recorded, so they aren't sent late once mail works. */
  sendsMails: boolean;
}

/** An older refund that arrives with a newer one of the same payment isn't mailed. */
const MAX_REFUND_AGE_S = 7 * 86_400;

export function openNotices(deps: NoticeDeps): BillingNotices {
  const { database, clock, log, mode, stripe, sendsMails } = deps;
  const call = openProviderCall({ log });
  const queries = asOwner(database);
  const nowIso = () => new Date(clock.nowMs()).toISOString();
  const setting = (): BillingSite => ({ brand: deps.brand, siteUrl: deps.siteUrl(), isTest: mode !== 'live' });

  async function afterSync(synced: Synced): Promise<void> {
    const { subscriptionId, customerId } = synced.after;
    await database.transaction(OWNER, async (tx) => {
      const now = await lockSubscription(tx, subscriptionId);
      // A newer sync has written meanwhile; it sends the notice.
      if (now === null || isOther(now, synced.after)) return;
      const recipient = await recipientOf(tx, customerId);
      if (recipient === null) return;
      for (const due of findDueNotices(subscriptionId, now, await listNotices(tx, subscriptionId))) {
        const mail = (await isForTheOwner(tx, due, synced)) ? await planMailOf(tx, due, synced, recipient) : null;
        await notify(tx, { ...due, userId: recipient.userId, subscriptionId }, mail);
      }
    });
    // Also sent by the invoice's own event, which may be late or lost.
    const invoice = synced.subscription.latest_invoice;
    if (invoice !== null && typeof invoice !== 'string') await ofInvoice(invoice);
  }

  async function planMailOf(
    tx: Transaction,
    { kind, priceId, fromPriceId = null }: DueNotice,
    { after, subscription }: Synced,
    { email, timezone }: Recipient,
  ): Promise<OutgoingMail | null> {
    if (kind === 'first_seen' || email === null) return null;
    const plans = await plansByPrice(tx);
    const facts = {
      kind,
      to: email,
      plan: plans.get(priceId ?? '') ?? null,
      from: plans.get((kind === 'downgrade_scheduled' ? after.priceId : fromPriceId) ?? '') ?? null,
      periodEnd: after.currentPeriodEnd,
      isUnpaid: subscription.cancellation_details?.reason === 'payment_failed',
      // Of two subscriptions bought at the same time, the newer one is refunded and ended.
      isDouble: kind === 'subscription_ended' && (await wasPaidBack(tx, after.subscriptionId)),
      dates: datesIn(timezone),
    };
    return planMail(facts, setting());
  }

  async function ofInvoice(invoice: Stripe.Invoice): Promise<void> {
    const facts = invoiceFacts(invoice);
    const subject = subjectOf(invoice, facts);
    if (subject === null || invoice.customer === null) return;
    if (await isNoticeSent(queries, subject.kind, subject.subjectId)) return;
    const recipient = await recipientOf(queries, idOf(invoice.customer));
    if (recipient === null) return;
    if (facts.currency !== 'usd') {
      log.error({ invoice: facts.id, currency: facts.currency }, 'an invoice in a currency that we do not sell in');
      return;
    }
    // Read before the transaction, so that no transaction waits for the provider.
    const card = subject.kind === 'receipt' ? await cardThatPaid(facts.id) : null;
    const subscription = invoice.parent?.subscription_details?.subscription;
    const subscriptionId = subscription === undefined ? null : idOf(subscription);
    await database.transaction(OWNER, async (tx) => {
      const plan = (await plansByPrice(tx)).get(facts.priceId ?? '') ?? null;
      const now = subscriptionId === null ? null : await lockSubscription(tx, subscriptionId);
      const { email, timezone, userId } = recipient;
      // The mail about the resulting end already covers the failed payment.
      const isMailed = email !== null && !(subject.kind === 'payment_failed' && now?.status === 'canceled');
      const shared = { to: email ?? '', invoice: facts, plan, dates: datesIn(timezone) };
      const mail =
        subject.kind === 'receipt' ? receiptMail({ ...shared, card }, setting()) : paymentFailedMail(shared, setting());
      await notify(tx, { ...subject, priceId: null, userId, subscriptionId }, isMailed ? mail : null);
    });
  }

  async function ofRefunds(charge: Stripe.Charge, refunds: readonly Stripe.Refund[]): Promise<void> {
    if (charge.customer === null) return;
    const recipient = await recipientOf(queries, idOf(charge.customer));
    if (recipient === null) return;
    if (charge.currency !== 'usd') {
      log.error({ charge: charge.id, currency: charge.currency }, 'a refund in a currency that we do not sell in');
      return;
    }
    const { email, timezone, userId } = recipient;
    const { brand, last4 } = charge.payment_method_details?.card ?? {};
    for (const refund of refunds) {
      // A failed or canceled refund has moved no money.
      if (refund.status === 'failed' || refund.status === 'canceled') continue;
      const isOld = clock.nowMs() / 1000 - refund.created > MAX_REFUND_AGE_S;
      const mail =
        email === null || isOld || isMailedWithPlanEnd(refund)
          ? null
          : refundMail(
              {
                to: email,
                amount: refund.amount,
                refundedAt: refund.created,
                payment: { amount: charge.amount, paidAt: charge.created },
                card: brand && last4 ? { brand, last4 } : null,
                dates: datesIn(timezone),
              },
              setting(),
            );
      const notice = { kind: 'refund', subjectId: refund.id, priceId: null, userId, subscriptionId: null } as const;
      await database.transaction(OWNER, (tx) => notify(tx, notice, mail));
    }
  }

  /** @param mail  null: only record the notice */
  async function notify(tx: Transaction, notice: Omit<Notice, 'isMailed'>, mail: OutgoingMail | null): Promise<void> {
    const sent = sendsMails ? mail : null;
    const isNew = await recordNotice(tx, { ...notice, isMailed: sent !== null }, nowIso());
    if (isNew && sent !== null) await queueMail(tx, sent, { userId: notice.userId, nowIso: nowIso() });
  }

  /** Null if the provider can't be reached: a receipt without the card is better than no receipt. */
  async function cardThatPaid(invoice: string): Promise<{ brand: string; last4: string } | null> {
    const expand = ['data.payment.payment_intent.payment_method'];
    try {
      const payments = await call('list', () => stripe.invoicePayments.list({ invoice, expand }));
      const intent = payments.data.find(({ status }) => status === 'paid')?.payment.payment_intent;
      const method = typeof intent === 'object' ? intent.payment_method : null;
      return (typeof method === 'object' && method?.card) || null;
    } catch (error) {
      if (!isAppError(error)) throw error;
      return null;
    }
  }

  return { afterSync, ofInvoice, ofRefunds };
}

function isOther(
  now: { status: string; priceId: string | null; cancelAtPeriodEnd: boolean; pendingPriceId: string | null },
  after: StoredSubscription,
): boolean {
  return (
    now.status !== after.status ||
    now.priceId !== after.priceId ||
    now.cancelAtPeriodEnd !== after.cancelAtPeriodEnd ||
    now.pendingPriceId !== after.pendingPriceId
  );
}

/** False for changes that the owner learns about in another way. */
async function isForTheOwner(
  tx: Transaction,
  due: DueNotice,
  { after, subscription }: Pick<Synced, 'after' | 'subscription'>,
): Promise<boolean> {
  // Of two bought at the same time, the second may end before any notice about it.
  if (!due.isMailed) return due.kind === 'subscription_ended' && (await wasPaidBack(tx, after.subscriptionId));
  // The receipt of an upgrade already names the new plan.
  if (due.kind === 'plan_changed') return !isPaidUpdate(subscription.latest_invoice, due.priceId);
  // No mail about the end of a subscription that a newer one has replaced.
  if (due.kind === 'subscription_ended') return (await otherLive(tx, after)) !== 'newer';
  return true;
}

function isPaidUpdate(invoice: Stripe.Subscription['latest_invoice'], priceId: string | null): boolean {
  if (invoice === null || typeof invoice === 'string' || invoice.billing_reason !== 'subscription_update') return false;
  const facts = invoiceFacts(invoice);
  return facts.priceId === priceId && subjectOf(invoice, facts)?.kind === 'receipt';
}

/**
 * Null if there is nothing to send. A payment of zero gets no receipt. A failed upgrade payment gets no mail: the page
 * that requested it reports it, the plan stays, and nothing is owed.
 */
function subjectOf(
  invoice: Stripe.Invoice,
  facts: InvoiceFacts,
): { kind: 'receipt' | 'payment_failed'; subjectId: string } | null {
  if (invoice.status === 'paid') return facts.amountPaid > 0 ? { kind: 'receipt', subjectId: facts.id } : null;
  const isTried = invoice.status === 'open' && facts.attempts > 0 && facts.amountDue > 0;
  return isTried && facts.reason !== 'subscription_update'
    ? { kind: 'payment_failed', subjectId: `${facts.id}/${facts.attempts}` }
    : null;
}
