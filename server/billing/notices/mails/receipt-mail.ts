/** The mail about a paid invoice. For an upgrade it also names the new plan, so one payment sends one mail. */
import type { PlanName } from '#domain/billing/plans.ts';
import { PLAN_LABELS } from '#domain/billing/plans.ts';
import { dollars } from '#domain/format/dollars.ts';
import type { MailFact } from '../../../platform/mail/mail-content.ts';
import type { OutgoingMail } from '../../../platform/mail/mail-store.ts';
import { billingMail, type MailSetting } from './billing-mail.ts';
import type { InvoiceFacts } from './invoice-facts.ts';
import type { Dates } from './mail-dates.ts';

export interface ReceiptFacts {
  to: string;
  invoice: InvoiceFacts;
  /** Null for a price that sells none of our plans. */
  plan: PlanName | null;
  /** The card that paid; null when the provider didn't report it. */
  card: { brand: string; last4: string } | null;
  dates: Dates;
}

export function receiptMail(facts: ReceiptFacts, setting: MailSetting): OutgoingMail {
  const { to, invoice, dates } = facts;
  const words = {
    kind: 'receipt',
    subject: invoice.number === null ? 'Your receipt from Kat' : `Your receipt from Kat, ${invoice.number}`,
    heading: headingOf(facts),
    paragraphs: [`We received ${dollars(invoice.amountPaid)}.${whatFollows(facts)}`],
    facts: [
      ...(invoice.number === null ? [] : [{ label: 'Receipt number', value: invoice.number }]),
      ...(invoice.paidAt === null ? [] : [{ label: 'Paid on', value: dates.minute(invoice.paidAt) }]),
      ...invoice.lines.map((line) => lineFact(line, dates)),
      ...sumFacts(invoice),
      ...(facts.card === null ? [] : [{ label: 'Card', value: cardWords(facts.card) }]),
      { label: 'Paid', value: dollars(invoice.amountPaid) },
    ],
    button: 'See my subscription',
    footnotes: ['Keep this mail as your receipt. Kat never sees the number of your card.'],
  };
  return billingMail(to, words, setting);
}

function headingOf({ invoice, plan }: ReceiptFacts): string {
  if (plan === null) return 'Thank you for your payment';
  switch (invoice.reason) {
    case 'subscription_create':
      return `You have the ${PLAN_LABELS[plan]} plan now`;
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
    ? ` That is the difference to your former plan until ${until}, when the new one renews unless you cancel before.`
    : ` Your plan is paid for until ${until}, when it renews unless you cancel before.`;
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
    ...(usedBalance === 0 ? [] : [{ label: 'From your account’s balance', value: dollars(usedBalance) }]),
  ];
}

const BRANDS: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  eftpos_au: 'eftpos',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

export function cardWords({ brand, last4 }: { brand: string; last4: string }): string {
  return `${BRANDS[brand] ?? brand.charAt(0).toUpperCase() + brand.slice(1)} ending in ${last4}`;
}
