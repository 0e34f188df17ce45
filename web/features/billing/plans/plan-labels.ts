import type { PlanName } from '#domain/billing/plans.ts';
import type { SubscriptionRow } from '#domain/billing/subscription.ts';
import { dollars } from '#domain/format/dollars.ts';
import { zonedDay } from '#domain/format/zoned-time.ts';
import { BobcatMark, KatMark, LionMark } from '../../../brand/marks.tsx';

export function priceLine(priceCents: number): string {
  return priceCents === 0 ? 'No charge' : `${dollars(priceCents)} per month`;
}

export interface Period {
  label: 'Renews on' | 'Ends on';
  date: string;
  iso: string;
}

export function periodLine(row: SubscriptionRow | null, zone: string): Period | null {
  if (!row || row.current_period_end == null) return null;
  const isEnding = row.cancel_at_period_end === true || row.status === 'canceled';
  const endMs = row.current_period_end * 1000;
  return {
    label: isEnding ? 'Ends on' : 'Renews on',
    date: zonedDay(endMs, zone),
    iso: new Date(endMs).toISOString(),
  };
}

export const PLAN_MARKS = { free: KatMark, bobcat: BobcatMark, lion: LionMark } as const satisfies Record<
  PlanName,
  unknown
>;
