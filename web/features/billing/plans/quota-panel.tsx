import type { ReactNode } from 'react';
import { hasFeature, PLANS, UNLIMITED } from '#domain/billing/plans.ts';
import { useEntitlement } from '../../../session/entitlement.ts';
import { useQuota } from '../../../session/quota.ts';
import { useSession } from '../../../session/session.ts';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { ErrorState } from '../../../ui/status/state.tsx';
import styles from './quota-panel.module.css';

const UNKNOWN = { perDay: null, perMonth: null };

/** @param upgrade  link to the plans, for users whose plan has no predictions */
export function QuotaPanel({ upgrade }: { upgrade?: ReactNode }) {
  const { user } = useSession();
  const { isLoading, hasFailed, entitlement, profile } = useEntitlement();
  // The profile alone decides whether a user has quotas, so the figures need not wait for the plan.
  const hasQuotas = user !== null && (profile === null ? !isLoading : profile.role !== 'admin');
  const { quota, error, isRefetching, refetch } = useQuota(hasQuotas ? user.id : null);
  return <Panel heading="Predictions left">{content()}</Panel>;

  function content() {
    if (!isLoading && entitlement.isAdmin) return <p className={styles.note}>Admins have no quota limits.</p>;
    if (error !== null) {
      const text = 'Your predictions still work.';
      return <ErrorState title={error.message} text={text} onRetry={refetch} isRetrying={isRefetching} />;
    }
    if (quota === null || isLoading) {
      return (
        <div className={styles.meters} role="status" aria-label="Loading your quota">
          <Skeleton className={styles.placeholder} />
          <Skeleton className={styles.placeholder} />
        </div>
      );
    }
    // A plan without predictions cannot run out, so '0 of 0' is not shown.
    if (!hasFailed && !hasFeature(entitlement.plan, 'predictions')) {
      return (
        <div className={styles.free}>
          <p>The free plan includes no predictions.</p>
          {upgrade}
        </div>
      );
    }
    // If the plan could not be loaded, its limits are unknown too.
    const { perDay, perMonth } = hasFailed ? UNKNOWN : PLANS[entitlement.plan];
    return (
      <>
        <div className={styles.meters}>
          <Meter label="Today" left={quota.remainingDaily} total={perDay} />
          <Meter label="This month" left={quota.remainingMonthly} total={perMonth} />
        </div>
        <p className={styles.note}>The daily limit resets at 00:00 UTC, the monthly one on your billing date.</p>
      </>
    );
  }
}

function Meter({ label, left, total }: { label: string; left: number; total: number | null }) {
  if (left === UNLIMITED) {
    return (
      <div className={styles.meter}>
        <p className="muted size-13">{label}</p>
        <p className={styles.value}>Unlimited</p>
      </div>
    );
  }
  return (
    <div className={styles.meter}>
      <p className="muted size-13">{label}</p>
      <p className={styles.value}>
        <span className="figures">{left}</span> {total !== null && <small>{`of ${total}`}</small>}
      </p>
      {total !== null && (
        <meter
          className={styles.bar}
          aria-label={`${label}: predictions left`}
          min={0}
          max={Math.max(1, total)}
          value={left}
        >
          {`${left} of ${total}`}
        </meter>
      )}
    </div>
  );
}
