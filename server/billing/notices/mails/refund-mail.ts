/** The mail about a refund, from any source. */
import { dollars } from '#domain/format/dollars.ts';
import type { OutgoingMail } from '../../../platform/mail/mail-store.ts';
import { billingMail, type MailSetting } from './billing-mail.ts';
import type { Dates } from './mail-dates.ts';
import { cardWords } from './receipt-mail.ts';

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

export function refundMail(facts: RefundFacts, setting: MailSetting): OutgoingMail {
  const { to, amount, refundedAt, payment, card, dates } = facts;
  const paid = `your payment of ${dollars(payment.amount)} from ${dates.day(payment.paidAt)}`;
  const words = {
    kind: 'refund',
    subject: 'Your refund from Kat',
    heading: `We refunded ${dollars(amount)}`,
    paragraphs: [
      amount === payment.amount ? `We refunded ${paid}.` : `We refunded ${dollars(amount)} of ${paid}.`,
      'It can take ten days until your bank shows it. The refund alone does not change your plan.',
    ],
    facts: [
      { label: 'Refunded on', value: dates.minute(refundedAt) },
      ...(card === null ? [] : [{ label: 'Card', value: cardWords(card) }]),
      { label: 'Refunded', value: dollars(amount) },
    ],
    button: 'See my subscription',
  };
  return billingMail(to, words, setting);
}
