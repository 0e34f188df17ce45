/** Predictions left today and this month, out of what the plan gives. */
import { useQuery } from '@tanstack/react-query';
import { PLANS } from '#domain/billing/plans.ts';
import { useEntitlement } from '../../session/entitlement.ts';
import { useSession } from '../../session/session.ts';
import { Skeleton } from '../../ui/loader.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ErrorState } from '../../ui/state.tsx';
import { fetchQuota } from './quota-api.ts';
import styles from './quota-panel.module.css';

export function QuotaPanel() {
  const { user } = useSession();
  const { isLoading, entitlement } = useEntitlement();
  const quota = useQuery({
    queryKey: ['quota', user?.id ?? ''],
    queryFn: fetchQuota,
    enabled: user !== null && !isLoading && !entitlement.isAdmin,
    refetchOnMount: 'always',
  });
  const plan = PLANS[entitlement.plan];
  return <Panel heading="Predictions left">{content()}</Panel>;

  function content() {
    if (!isLoading && entitlement.isAdmin) return <p className={styles.note}>Admins have no quota limits.</p>;
    if (quota.isError) {
      return (
        <ErrorState
          title="Your quota could not be loaded."
          text="Predictions still work while you have some left."
          onRetry={() => void quota.refetch()}
        />
      );
    }
    if (!quota.data) {
      return (
        <div className={styles.meters} role="status" aria-label="Loading your quota">
          <Skeleton className={styles.placeholder} />
          <Skeleton className={styles.placeholder} />
        </div>
      );
    }
    return (
      <>
        <div className={styles.meters}>
          <Meter label="Today" left={quota.data.remainingDaily} total={plan.perDay} />
          <Meter label="This month" left={quota.data.remainingMonthly} total={plan.perMonth} />
        </div>
        <p className={styles.note}>
          {entitlement.plan === 'free'
            ? 'The free plan includes no predictions.'
            : 'Days turn at 00:00 UTC, months with your billing period.'}
        </p>
      </>
    );
  }
}

function Meter({ label, left, total }: { label: string; left: number; total: number }) {
  return (
    <div className={styles.meter}>
      <p className={styles.label}>{label}</p>
      <p className={styles.value}>
        <span className="figures">{left}</span> <small>of {total}</small>
      </p>
      <meter
        className={styles.bar}
        aria-label={`${label}: predictions left`}
        min={0}
        max={Math.max(1, total)}
        value={left}
      >
        {left} of {total}
      </meter>
    </div>
  );
}
