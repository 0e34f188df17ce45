/** Mails about money: a receipt, which for an upgrade also names the new plan, a failed payment and a refund. */
import { PLAN_LABELS, type PlanName } from '#domain/billing/plans.ts';
import { dollars } from '#domain/format/dollars.ts';
import type { MailFact } from '../../../platform/mail/mail-layout.ts';
import type { OutgoingMail } from '../../../platform/mail/mail-queue.ts';
import { type BillingSite, billingMail, type Dates } from './billing-mail.ts';
import type { InvoiceFacts } from './invoice-facts.ts';

export interface ReceiptFacts {
  to: string;
  invoice: InvoiceFacts;
  /** Null for a price that sells none of our plans. */
  plan: PlanName | null;
  /** The card that paid; null when the provider didn't report it. */
  card: { brand: string; last4: string } | null;
  dates: Dates;
}

export function receiptMail(facts: ReceiptFacts, setting: BillingSite): OutgoingMail {
  const { to, invoice, dates } = facts;
  const copy = {
    kind: 'receipt',
    subject: invoice.number === null ? 'Your receipt from Kat' : `Your receipt from Kat, ${invoice.number}`,
    heading: headingOf(facts),
    paragraphs: [`We received ${dollars(invoice.amountPaid)}.${whatFollows(facts)}`],
    facts: [
      ...(invoice.number === null ? [] : [{ label: 'Receipt number', value: invoice.number }]),
      ...(invoice.paidAt === null ? [] : [{ label: 'Paid on', value: dates.minute(invoice.paidAt) }]),
      ...invoice.lines.map((line) => lineFact(line, dates)),
      ...sumFacts(invoice),
      ...(facts.card === null ? [] : [{ label: 'Card', value: formatCard(facts.card) }]),
      { label: 'Paid', value: dollars(invoice.amountPaid) },
    ],
    button: 'See my subscription',
    footnotes: ['Keep this email as your receipt. Kat never sees your card number.'],
  };
  return billingMail(to, copy, setting);
}

function headingOf({ invoice, plan }: ReceiptFacts): string {
  if (plan === null) return 'Thank you for your payment';
  switch (invoice.reason) {
    case 'subscription_create':
      return `You’re now on the ${PLAN_LABELS[plan]} plan`;
    case 'subscription_update':
      return `Your plan was changed to ${PLAN_LABELS[plan]}`;
    case 'subscription_cycle':
      return `Your ${PLAN_LABELS[plan]} plan was renewed`;
    default:
      return 'Thank you for your payment';
  }
}

function whatFollows({ invoice, dates }: ReceiptFacts): string {
  const until = invoice.periodEnd === null ? null : dates.day(invoice.periodEnd);
  if (until === null) return '';
  return invoice.reason === 'subscription_update'
    ? ` This covers the price difference until ${until}, when your new plan renews unless you cancel first.`
    : ` Your plan is paid until ${until}, when it renews unless you cancel first.`;
}

function lineFact(line: InvoiceFacts['lines'][number], dates: Dates): MailFact {
  const period = dates.period(line.periodStart, line.periodEnd);
  return { label: `${line.description}, ${period}`, value: dollars(line.amount) };
}

/** The rows between the lines and the amount paid; empty if the lines add up to it. */
function sumFacts(invoice: InvoiceFacts): MailFact[] {
  const { taxes, discounts, startingBalance, endingBalance, total, amountPaid } = invoice;
  const usedBalance = startingBalance - (endingBalance ?? startingBalance);
  return [
    ...discounts.map((amount) => ({ label: 'Discount', value: dollars(-amount) })),
    ...taxes.map((amount) => ({ label: 'Tax', value: dollars(amount) })),
    ...(total === amountPaid ? [] : [{ label: 'Total', value: dollars(total) }]),
    ...(usedBalance === 0 ? [] : [{ label: 'Paid from your balance', value: dollars(usedBalance) }]),
  ];
}

const BRANDS: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  eftpos_au: 'eftpos',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

function formatCard({ brand, last4 }: { brand: string; last4: string }): string {
  return `${BRANDS[brand] ?? brand.charAt(0).toUpperCase() + brand.slice(1)} ending in ${last4}`;
}

export interface FailureFacts {
  to: string;
  invoice: InvoiceFacts;
  plan: PlanName | null;
  dates: Dates;
}

export function paymentFailedMail({ to, invoice, plan, dates }: FailureFacts, setting: BillingSite): OutgoingMail {
  const what = plan === null ? 'your subscription' : `your ${PLAN_LABELS[plan]} plan`;
  const next =
    invoice.nextAttemptAt === null
      ? 'We won’t try again automatically.'
      : `We’ll try again on ${dates.day(invoice.nextAttemptAt)}. Until then, your plan stays the same.`;
  const copy = {
    kind: 'payment_failed',
    subject: 'Your payment did not go through',
    heading: 'Your payment did not go through',
    paragraphs: [
      `We couldn’t charge ${dollars(invoice.amountDue)} for ${what}.`,
      `${next} To pay now or use a different card, open your subscription page.`,
    ],
    facts: [
      ...(invoice.number === null ? [] : [{ label: 'Invoice', value: invoice.number }]),
      ...(invoice.nextAttemptAt === null
        ? []
        : [{ label: 'Next attempt', value: dates.minute(invoice.nextAttemptAt) }]),
      { label: 'Amount', value: dollars(invoice.amountDue) },
    ],
    button: 'Open my subscription',
    footnotes: ['We never ask for card details by email. Enter them only on the payment provider’s page.'],
  };
  return billingMail(to, copy, setting);
}

/** Amounts in US cents, times in epoch seconds. */
export interface RefundFacts {
  to: string;
  amount: number;
  refundedAt: number;
  payment: { amount: number; paidAt: number };
  /** The card that had paid; null when the provider didn't report it. */
  card: { brand: string; last4: string } | null;
  dates: Dates;
}

export function refundMail(facts: RefundFacts, setting: BillingSite): OutgoingMail {
  const { to, amount, refundedAt, payment, card, dates } = facts;
  const paid = `your payment of ${dollars(payment.amount)} from ${dates.day(payment.paidAt)}`;
  const copy = {
    kind: 'refund',
    subject: 'Your refund from Kat',
    heading: `We refunded ${dollars(amount)}`,
    paragraphs: [
      amount === payment.amount ? `We refunded ${paid}.` : `We refunded ${dollars(amount)} of ${paid}.`,
      'It can take up to ten days to appear on your statement. The refund doesn’t change your plan.',
    ],
    facts: [
      { label: 'Refunded on', value: dates.minute(refundedAt) },
      ...(card === null ? [] : [{ label: 'Card', value: formatCard(card) }]),
      { label: 'Refunded', value: dollars(amount) },
    ],
    button: 'See my subscription',
  };
  return billingMail(to, copy, setting);
}
