/** 'Your Predictions': what this user has forecast and saved. Specification 2, sections 2.3 and 2.5. */
import type { Candle } from '#domain/market/candle.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/loader.tsx';
import { EmptyState, ErrorState } from '../../ui/state.tsx';
import { PredictionCard } from './prediction-card.tsx';
import styles from './prediction-grid.module.css';
import { usePredictions } from './use-predictions.ts';

export interface PredictionGridProps {
  userId: string;
  /** 2 on /kat, 4 on the account page. */
  pageSize: number;
  /** Grows with each prediction saved on this page. */
  savedCount?: number;
  onPopOut: (title: string, candles: readonly Candle[]) => void;
}

export function PredictionGrid({ userId, pageSize, savedCount = 0, onPopOut }: PredictionGridProps) {
  const { status, rows, hasMore, isLoadingMore, message, loadMore, retry } = usePredictions(
    userId,
    pageSize,
    savedCount,
  );
  if (status === 'loading') return <LoadingGrid count={pageSize} />;
  if (status === 'failed')
    return <ErrorState title={message ?? ''} text="New predictions still work." onRetry={retry} />;
  if (rows.length === 0) {
    return <EmptyState title="No saved predictions yet" text="Run a prediction to save it here" />;
  }
  return (
    <div className={styles.list}>
      <ul className={styles.grid}>
        {rows.map((row) => (
          <li key={row.id}>
            <PredictionCard row={row} onPopOut={onPopOut} />
          </li>
        ))}
      </ul>
      {message !== null && (
        <p className={styles.note} role="alert">
          {message}
        </p>
      )}
      {hasMore && (
        <div className={styles.more}>
          <Button isBusy={isLoadingMore} onClick={loadMore}>
            Load More
          </Button>
        </div>
      )}
    </div>
  );
}

function LoadingGrid({ count }: { count: number }) {
  return (
    <div role="status" className={`${styles.list} ${styles.loading}`}>
      <span className={styles.word}>Loading predictions…</span>
      <div className={styles.grid}>
        {Array.from({ length: count }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: grey shapes have no identity
          <Skeleton key={i} className={styles.skeleton} />
        ))}
      </div>
    </div>
  );
}
