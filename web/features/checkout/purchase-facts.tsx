import type { ReactNode } from 'react';
import { PLAN_LABELS, PLANS, type PlanName } from '#domain/billing/plans.ts';
import { isActiveStatus, type SubscriptionRow } from '#domain/billing/subscription.ts';
import { dollars } from '#domain/format/dollars.ts';
import { zonedDay } from '#domain/format/zoned-time.ts';
import { useEntitlement } from '../../session/entitlement.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { Badge } from '../../ui/layout/badge.tsx';
import styles from './purchase-facts.module.css';

interface PurchaseFactsProps {
  /** Label of the plan: just bought, or already active. */
  name: 'Product' | 'Your plan';
  plan: PlanName;
  row: SubscriptionRow;
}

export function PurchaseFacts({ name, plan, row }: PurchaseFactsProps) {
  const { zone } = useTimeZone();
  const { nowS } = useEntitlement();
  const isActive = isActiveStatus(row, nowS);
  const endMs = row.current_period_end === null ? null : row.current_period_end * 1000;
  return (
    <dl className="full-width border-top">
      <Fact name={name}>{PLAN_LABELS[plan]}</Fact>
      <Fact name="Price">
        <span className="figures">{dollars(PLANS[plan].priceCents)}</span> per month
      </Fact>
      <Fact name="Status">
        <Badge tone={isActive ? 'up' : 'warning'}>{isActive ? 'Active' : 'Inactive'}</Badge>
      </Fact>
      {endMs !== null && (
        <Fact name={row.cancel_at_period_end === true ? 'Ends on' : 'Next billing date'}>
          <time dateTime={new Date(endMs).toISOString()}>{zonedDay(endMs, zone)}</time>
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
