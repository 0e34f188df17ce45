import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import type { PredictionRow } from '#domain/forecast/prediction.ts';
import { useEntitlement } from '../../session/entitlement.ts';
import type { PopOut } from '../../site/pop-out.ts';
import type { PredictionAlerts } from '../../site/prediction-alerts.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { ReportedFailure } from '../../ui/status/reported-failure.tsx';
import { EmptyState, ErrorState } from '../../ui/status/state.tsx';
import { PredictionCard } from './prediction-card.tsx';
import styles from './prediction-grid.module.css';
import { useOutcomes } from './use-outcomes.ts';
import { usePredictions } from './use-predictions.ts';

export interface PredictionGridProps {
  userId: string;
  /** Added by each Load More: 2 on /kat and on the dashboard, 4 on the account page (R-SAVED-3). */
  pageSize: number;
  /** Shown at first; `pageSize` by default, 4 on the dashboard (R-DASHBOARD-9). */
  firstCount?: number;
  /** Increases with each prediction saved on this page. */
  savedCount?: number;
  alerts?: PredictionAlerts | undefined;
  foot?: ReactNode;
  onOpen?: ((row: PredictionRow) => void) | undefined;
  /** Leads to the chart while nothing is saved. */
  emptyAction?: ReactNode;
  onPopOut: PopOut;
}

export function PredictionGrid(props: PredictionGridProps) {
  const {
    userId,
    pageSize,
    firstCount = pageSize,
    savedCount = 0,
    foot,
    emptyAction,
    alerts,
    onOpen,
    onPopOut,
  } = props;
  const list = usePredictions(userId, { firstCount, pageSize, savedCount });
  const { status, rows, total, hasMore, isLoadingMore, message, loadMore, retry } = list;
  const outcomes = useOutcomes(
    userId,
    rows.map((row) => row.id),
  );
  const { isAdmin } = useEntitlement().entitlement;
  const countRef = useFocusWhenRemoved(hasMore);
  if (status === 'loading') return <LoadingGrid count={firstCount} />;
  if (status === 'failed')
    return <ErrorState title={message ?? ''} text="New predictions still work." onRetry={retry} />;
  if (rows.length === 0) {
    return isAdmin ? (
      <EmptyState title="No saved predictions" text="Predictions of admins aren’t saved." action={emptyAction} />
    ) : (
      <EmptyState title="No saved predictions yet" text="Run a prediction to save it here" action={emptyAction} />
    );
  }
  return (
    <div className={styles.list}>
      <ul className={styles.grid}>
        {rows.map((row) => (
          <li key={row.id}>
            <PredictionCard
              row={row}
              outcome={outcomes.of(row.id)}
              hasOutcomeFailed={outcomes.hasFailed}
              alerts={alerts}
              onOpen={onOpen}
              onPopOut={onPopOut}
            />
          </li>
        ))}
      </ul>
      {message !== null && <ReportedFailure className={styles.note}>{message}</ReportedFailure>}
      <div className={styles.more}>
        <p ref={countRef} className="muted size-13" role="status" tabIndex={-1}>
          {`Showing ${rows.length} of ${Math.max(total, rows.length)}`}
        </p>
        {hasMore && (
          <Button isBusy={isLoadingMore} onClick={loadMore}>
            Load More
          </Button>
        )}
      </div>
      {foot}
    </div>
  );
}

/** When the focused button disappears, moves the focus to the text beside it instead of the top of the page. */
function useFocusWhenRemoved(isThere: boolean): RefObject<HTMLParagraphElement | null> {
  const ref = useRef<HTMLParagraphElement>(null);
  const wasThere = useRef(isThere);
  useEffect(() => {
    const isRemoved = wasThere.current && !isThere;
    wasThere.current = isThere;
    if (isRemoved && document.activeElement === document.body) ref.current?.focus({ preventScroll: true });
  }, [isThere]);
  return ref;
}

function LoadingGrid({ count }: { count: number }) {
  return (
    <div role="status" className={`${styles.list} ${styles.waiting} relative`}>
      <span className={styles.loading}>Loading predictions…</span>
      <div className={styles.grid}>
        {Array.from({ length: count }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: skeletons have no identity
          <Skeleton key={i} className={styles.skeleton} />
        ))}
      </div>
    </div>
  );
}
