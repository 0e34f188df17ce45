/** Questions and answers on /pricing. They must match what billing does (docs/billing.md) and the legal page. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { GRACE_S } from '#domain/billing/subscription.ts';
import { HONEST_LINE } from './honest-line.ts';

export interface PricingAnswer {
  question: string;
  answer: () => ReactNode;
}

const GRACE_HOURS = GRACE_S / 3600;

export const PRICING_ANSWERS: readonly PricingAnswer[] = [
  {
    question: 'Can I cancel at any time?',
    answer: () => (
      <>
        Yes, on the <Link to="/account/subscription">subscription page</Link>. You keep your plan until the end of the
        period you paid for, and {GRACE_HOURS} hours longer. Then your account moves to Free, and nothing more is
        charged. Until that day you can undo it. Your saved predictions stay yours.
      </>
    ),
  },
  {
    question: 'Can I get a refund?',
    answer: () => (
      <>
        Cancelling stops the next payment and does not refund the current one. If you pay twice for a plan within an
        hour, for example in two tabs, the second payment is refunded automatically. The operator decides on every other
        request: the contact and your rights are on the <Link to="/legal">legal page</Link>.
      </>
    ),
  },
  {
    question: 'Can I change plans?',
    answer: () => (
      <>
        An upgrade starts immediately. You see the amount due before you confirm, and the unused part of your old plan
        is taken off. A downgrade starts at the end of the period; until then you keep what you paid for.
      </>
    ),
  },
  {
    question: 'What counts as a prediction?',
    answer: () => (
      <>
        A prediction counts when it is saved, not when it fails. The daily limit resets at 00:00 UTC, the monthly one on
        your billing date. Unused predictions do not carry over.
      </>
    ),
  },
  {
    question: 'What happens to my data?',
    answer: () => (
      <>
        Your full card number never reaches this site, only its brand, last digits and expiry. You can download
        everything stored about you, and delete your account, on the <Link to="/account/security">security page</Link>.
        The <Link to="/legal#privacy-stored">privacy notice</Link> lists what we store and for how long.
      </>
    ),
  },
  {
    question: 'How accurate are the forecasts?',
    answer: () => (
      <>
        {HONEST_LINE} One close in five should land outside the 80% band. Every forecast that the site itself makes is
        sealed before its outcome is known and scored in the <Link to="/track-record">track record</Link>, misses
        included.
      </>
    ),
  },
];
