/** How the admin screen names a user's plan and subscription. */
import { PLAN_LABELS, PLANS, type PlanName, type PriceTable } from '../billing/plans.ts';
import { dollars } from '../format/dollars.ts';
import { zonedDay } from '../format/zoned-time.ts';
import type { AdminUser } from './admin-user.ts';

/** Decided by the price id alone, whatever the status: an unknown or missing id is free. */
export function planOfPriceId(priceId: string | null, prices: PriceTable): PlanName {
  return priceId === null ? 'free' : (prices.get(priceId) ?? 'free');
}

/** 'Bobcat $29.99', 'Lion $69.99', 'Free'. */
export function planLabel(plan: PlanName): string {
  return plan === 'free' ? PLAN_LABELS.free : `${PLAN_LABELS[plan]} ${dollars(PLANS[plan].priceCents)}`;
}

export type DisplayStatus = { kind: 'active' } | { kind: 'cancels'; endMs: number } | { kind: 'free' };

/** Active: status active, no cancellation. Cancels: the cancel flag and a known end. Everything else is free. */
export function displayStatus({ status, hasCancelFlag, periodEndMs }: AdminUser): DisplayStatus {
  if (hasCancelFlag) return periodEndMs === null ? { kind: 'free' } : { kind: 'cancels', endMs: periodEndMs };
  return status?.toLowerCase() === 'active' ? { kind: 'active' } : { kind: 'free' };
}

/** 'Active', 'Cancels on 23 Oct 2026', 'Free'. @param zone  the time zone of the day */
export function describeStatus(status: DisplayStatus, zone: string): string {
  if (status.kind === 'cancels') return `Cancels on ${zonedDay(status.endMs, zone)}`;
  return status.kind === 'active' ? 'Active' : 'Free';
}

const MINUTE_MS = 60_000;

/**
 * '12d 3h 40m' until the period ends, 'Expired' once it has, '-' without an end. Minutes are rounded down, so that it
 * never overstates the time left.
 */
export function timeLeft(endMs: number | null, nowMs: number): string {
  if (endMs === null) return '-';
  if (nowMs >= endMs) return 'Expired';
  const minutes = Math.floor((endMs - nowMs) / MINUTE_MS);
  return `${Math.floor(minutes / 1440)}d ${Math.floor(minutes / 60) % 24}h ${minutes % 60}m`;
}
