/** 'Alerts' on the track record, for signed-in users: the available rules and the latest alerts. */
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import type { SessionUser } from '../../session/session.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { ErrorState } from '../../ui/status/state.tsx';
import styles from './alerts-section.module.css';
import { LatestAlerts } from './latest-alerts.tsx';
import { AlertRules } from './rules/alert-rules.tsx';
import { useAlerts } from './use-alerts.ts';

export interface AlertsSectionProps {
  user: SessionUser;
  /** Anchor id that links to the section use. */
  anchorId: string;
}

export function AlertsSection({ user, anchorId }: AlertsSectionProps) {
  const { data, isError, isFetching, refetch } = useAlerts(user.id);
  const root = useRef<HTMLDivElement>(null);
  useScrollToAnchor(root, anchorId, data !== undefined || isError);
  return (
    <div ref={root} className={styles.section}>
      <Panel heading="Alerts">
        {data !== undefined ? (
          <div className={styles.parts}>
            <AlertRules user={user} rules={data.rules} />
            <LatestAlerts userId={user.id} list={data} />
          </div>
        ) : isError ? (
          <ErrorState
            title="We couldn’t load your alerts"
            text="Your alerts haven’t changed, and the record isn’t affected."
            onRetry={() => void refetch()}
            isRetrying={isFetching}
          />
        ) : (
          <div role="status" aria-label="Loading your alerts">
            <Skeleton className={styles.waiting} />
          </div>
        )}
      </Panel>
    </div>
  );
}

/** Scrolls to a linked section again, because content above it had no height yet on arrival. */
function useScrollToAnchor(root: { current: HTMLElement | null }, anchorId: string, isLoaded: boolean): void {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per navigation, when the height is known
  useEffect(() => {
    if (isLoaded && hash === `#${anchorId}`) root.current?.scrollIntoView();
  }, [isLoaded, key]);
}
