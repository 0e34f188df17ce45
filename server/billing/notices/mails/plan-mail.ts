import { PLAN_LABELS, PLANS, type PlanName } from '#domain/billing/plans.ts';
import type { OutgoingMail } from '../../../platform/mail/mail-queue.ts';
import type { DueNotice } from '../notice-store.ts';
import { type BillingMailCopy, type BillingSite, billingMail, type Dates, NOT_YOU } from './billing-mail.ts';

export type PlanNotice = Exclude<DueNotice['kind'], 'first_seen'>;

export interface PlanMailFacts {
  kind: PlanNotice;
  to: string;
  /** The plan that the mail is about; null for a price that sells none of our plans. */
  plan: PlanName | null;
  /** For plan_changed and downgrade_scheduled: the previous plan. */
  from: PlanName | null;
  /** Epoch seconds: the end of the paid period, or when the plan ended. */
  periodEnd: number | null;
  /** For subscription_ended: the renewal was not paid. */
  isUnpaid: boolean;
  /** For subscription_ended: the owner's older subscription continues; this one was refunded. */
  isDouble: boolean;
  dates: Dates;
}

export function planMail(facts: PlanMailFacts, setting: BillingSite): OutgoingMail {
  return billingMail(facts.to, { kind: facts.kind, ...PLAN_MAIL_COPY[facts.kind](facts) }, setting);
}

type PlanMailCopy = Omit<BillingMailCopy, 'kind'>;

const PLAN_MAIL_COPY: Readonly<Record<PlanNotice, (facts: PlanMailFacts) => PlanMailCopy>> = {
  plan_changed: planChanged,
  downgrade_scheduled({ plan, from, ...facts }) {
    return {
      subject: `Your plan will change to ${nameOf(plan)}`,
      heading: `Your plan will change to ${nameOf(plan)}`,
      paragraphs: [
        `You keep ${from === null ? 'your plan' : nameOf(from)}${until(facts)}. Then you move to ${nameOf(plan)} at its price. You won’t be charged before that.`,
        'Until then, you can undo this on your subscription page.',
      ],
      button: 'See my subscription',
      footnotes: [NOT_YOU],
    };
  },
  downgrade_undone: (facts) => ({
    subject: 'Your plan stays the same',
    heading: 'Your plan stays the same',
    paragraphs: [`The change to ${nameOf(facts.plan)} was undone.${renews(facts)}`],
    button: 'See my subscription',
    footnotes: [NOT_YOU],
  }),
  cancellation_scheduled: (facts) => ({
    subject: 'Your subscription will end',
    heading: 'Your subscription will end',
    paragraphs: [
      `Your subscription was cancelled. You keep ${nameOf(facts.plan)}${until(facts)}, and you won’t be charged again.`,
      'Until then, you can undo this on your subscription page. After that, you move to the free plan and keep your saved data.',
    ],
    button: 'See my subscription',
    footnotes: [NOT_YOU],
  }),
  cancellation_undone: (facts) => ({
    subject: 'Your subscription continues',
    heading: 'Your subscription continues',
    paragraphs: [`The cancellation was undone: you keep ${nameOf(facts.plan)}.${renews(facts)}`],
    button: 'See my subscription',
    footnotes: [NOT_YOU],
  }),
  subscription_ended: (facts) => (facts.isDouble ? doubleEnded(facts) : ended(facts)),
};

function ended(facts: PlanMailFacts): PlanMailCopy {
  return {
    subject: 'Your subscription has ended',
    heading: 'Your subscription has ended',
    paragraphs: [
      facts.isUnpaid
        ? `We couldn’t charge the renewal of ${nameOf(facts.plan)}, so your subscription has ended.`
        : `Your subscription to ${nameOf(facts.plan)} has ended. You won’t be charged again.`,
      'You’re now on the free plan and keep your saved data. You can subscribe again at any time.',
    ],
    button: 'See the plans',
  };
}

function doubleEnded({ plan }: PlanMailFacts): PlanMailCopy {
  return {
    subject: 'We ended your second subscription',
    heading: 'We ended your second subscription',
    paragraphs: [
      `You subscribed twice. We ended the second subscription, to ${nameOf(plan)}, immediately and are refunding your payment for it.`,
      'Your first subscription continues unchanged.',
    ],
    button: 'See my subscription',
  };
}

function planChanged(facts: PlanMailFacts): PlanMailCopy {
  const { plan, from } = facts;
  const isLess = plan !== null && from !== null && PLANS[plan].priceCents < PLANS[from].priceCents;
  const why = isLess ? 'As planned, your' : 'Your';
  return {
    subject: `You’re now on ${nameOf(plan)}`,
    heading: `You’re now on ${nameOf(plan)}`,
    paragraphs: [
      `${why} plan was changed${from === null ? '' : ` from ${PLAN_LABELS[from]}`} to ${nameOf(plan)}.${renews(facts)}`,
    ],
    button: 'See my subscription',
    footnotes: isLess ? [] : [NOT_YOU],
  };
}

function nameOf(plan: PlanName | null): string {
  return plan === null ? 'your plan' : `the ${PLAN_LABELS[plan]} plan`;
}

function until({ periodEnd, dates }: Pick<PlanMailFacts, 'periodEnd' | 'dates'>): string {
  return periodEnd === null ? '' : ` until ${dates.minute(periodEnd)}`;
}

function renews({ periodEnd, dates }: PlanMailFacts): string {
  return periodEnd === null ? '' : ` It renews on ${dates.day(periodEnd)}.`;
}
