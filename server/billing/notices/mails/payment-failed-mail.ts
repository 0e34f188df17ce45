/** The mail about a failed card payment for an invoice. */
import { PLAN_LABELS, type PlanName } from '#domain/billing/plans.ts';
import { dollars } from '#domain/format/dollars.ts';
import type { OutgoingMail } from '../../../platform/mail/mail-store.ts';
import { billingMail, type MailSetting } from './billing-mail.ts';
import type { InvoiceFacts } from './invoice-facts.ts';
import type { Dates } from './mail-dates.ts';

export interface FailureFacts {
  to: string;
  invoice: InvoiceFacts;
  plan: PlanName | null;
  dates: Dates;
}

export function paymentFailedMail({ to, invoice, plan, dates }: FailureFacts, setting: MailSetting): OutgoingMail {
  const what = plan === null ? 'your subscription' : `your ${PLAN_LABELS[plan]} plan`;
  const next =
    invoice.nextAttemptAt === null
      ? 'We do not try again by ourselves.'
      : `We try again on ${dates.day(invoice.nextAttemptAt)}. Until then your plan stays as it is.`;
  const words = {
    kind: 'payment_failed',
    subject: 'Your payment did not go through',
    heading: 'Your payment did not go through',
    paragraphs: [
      `${dollars(invoice.amountDue)} for ${what} could not be charged to your card.`,
      `${next} To pay now, or to give another card, open your subscription page.`,
    ],
    facts: [
      ...(invoice.number === null ? [] : [{ label: 'Invoice', value: invoice.number }]),
      ...(invoice.nextAttemptAt === null ? [] : [{ label: 'Next try', value: dates.minute(invoice.nextAttemptAt) }]),
      { label: 'Amount', value: dollars(invoice.amountDue) },
    ],
    button: 'Open my subscription',
    footnotes: ['We never ask for a card by mail. Your card is entered on the payment provider’s own page alone.'],
  };
  return billingMail(to, words, setting);
}
