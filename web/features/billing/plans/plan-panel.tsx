import type { ReactNode } from 'react';
import { PLAN_LABELS, PLANS } from '#domain/billing/plans.ts';
import { isActiveStatus } from '#domain/billing/subscription.ts';
import { MODELS, type ModelName } from '#domain/forecast/models.ts';
import { useEntitlement } from '../../../session/entitlement.ts';
import { unableReason, useModelStatuses } from '../../../site/site-config.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { Badge } from '../../../ui/layout/badge.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { ErrorState } from '../../../ui/status/state.tsx';
import { PlanHead } from './plan-head.tsx';
import { periodLine, priceLine } from './plan-labels.ts';
import styles from './plan-panel.module.css';

export function PlanPanel({ action }: { action?: ReactNode }) {
  const { isLoading, hasFailed, entitlement, subscription, nowS, refetch } = useEntitlement();
  const { zone } = useTimeZone();
  if (isLoading) {
    return (
      <Panel heading="Current plan">
        <div role="status" aria-label="Loading your plan">
          <Skeleton className={styles.placeholder} />
        </div>
      </Panel>
    );
  }
  const { plan, isAdmin, models } = entitlement;
  if (hasFailed && !isAdmin) {
    return (
      <Panel heading="Current plan" actions={action}>
        <ErrorState
          title="We couldn’t load your plan"
          text="Until it loads, you have the Free plan’s access."
          onRetry={refetch}
        />
      </Panel>
    );
  }
  const isActive = plan !== 'free' && isActiveStatus(subscription, nowS);
  const period = plan === 'free' ? null : periodLine(subscription, zone);
  return (
    <Panel
      heading="Current plan"
      beside={
        <>
          {isAdmin && <Badge tone="info">Admin</Badge>}
          {plan !== 'free' && <Badge tone={isActive ? 'up' : 'warning'}>{isActive ? 'Active' : 'Inactive'}</Badge>}
        </>
      }
      actions={action}
    >
      <PlanHead plan={plan} name={PLAN_LABELS[plan]} price={priceLine(PLANS[plan].priceCents)} />
      <dl className={styles.facts}>
        <div>
          <dt>Models</dt>
          <dd>
            <ModelList models={models} />
          </dd>
        </div>
        {period && (
          <div>
            <dt>{period.label}</dt>
            <dd>
              <time dateTime={period.iso}>{period.date}</time>
            </dd>
          </div>
        )}
      </dl>
    </Panel>
  );
}

/** One line per model, the same height with or without a badge. */
function ModelList({ models }: { models: readonly ModelName[] }) {
  const statuses = useModelStatuses();
  if (models.length === 0) return 'None';
  return (
    <ul className={styles.models}>
      {models.map((model) => {
        const unable = unableReason(statuses?.[model]);
        return (
          <li key={model}>
            <span>{MODELS[model].label}</span>
            {unable !== null && <Badge tone="warning">{unable}</Badge>}
          </li>
        );
      })}
    </ul>
  );
}
