import type { PlanRefusal } from '#domain/billing/plan-buttons.ts';
import { GRACE_S } from '#domain/billing/subscription.ts';
import type { SubscriptionState } from '#domain/billing/subscription-state.ts';
import { MESSAGES } from '#domain/errors/messages.ts';
import { zonedDay, zonedMinute } from '#domain/format/zoned-time.ts';
import type { Card } from '../billing-api.ts';

/** '12 Dec 2026', or 'the end of the period' when unknown. */
export function endDay({ periodEndS }: SubscriptionState, zone: string): string {
  return periodEndS === null ? 'the end of the period' : zonedDay(periodEndS * 1000, zone);
}

/** '12 Dec 2026, 16:05 GMT+1': an ended plan works until then. */
export function graceEnd({ periodEndS }: SubscriptionState, zone: string): string {
  return periodEndS === null ? 'the end of its grace period' : zonedMinute((periodEndS + GRACE_S) * 1000, zone);
}

/** Why a plan's button is disabled; null where its label explains it. */
export function describeRefusal(refusal: PlanRefusal, state: SubscriptionState, zone: string): string | null {
  switch (refusal) {
    case 'current':
      return null;
    case 'current-in-grace':
      return `Ended. You can still use it until ${graceEnd(state, zone)}, then buy it again.`;
    case 'not-set-up':
      return MESSAGES['billing/not-set-up'];
    case 'cancellation-pending':
      return MESSAGES['billing/cancellation-pending'];
    case 'ends-by-itself':
      return state.isLive
        ? `Your account moves to Free on ${endDay(state, zone)}.`
        : `Your account moves to Free on ${graceEnd(state, zone)}.`;
    case 'downgrade-scheduled':
      return `Starts on ${endDay(state, zone)}.`;
    case 'payment-due':
      return 'Pay the open invoice first.';
    case 'paused':
      return 'Your subscription is paused.';
    case 'unknown-price':
      return 'Your plan is no longer sold here. Cancel it first.';
  }
}

const BRANDS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** 'Visa ending in 4242', and '12/34' if known. */
export function describeCard({ brand, last4, exp_month, exp_year }: Card): { name: string; expiry: string | null } {
  const name = `${BRANDS[brand ?? ''] ?? 'Card'} ending in ${last4}`;
  if (exp_month === null || exp_year === null) return { name, expiry: null };
  return { name, expiry: `${String(exp_month).padStart(2, '0')}/${String(exp_year % 100).padStart(2, '0')}` };
}
