/** Charts of a user's last two predictions. Their candles load when the details open. */
import { useQuery } from '@tanstack/react-query';
import type { AdminUser } from '#domain/admin/admin-user.ts';
import type { UserPrediction } from '#domain/admin/user-predictions.ts';
import { savedDecimals, savedJoinS } from '#domain/forecast/prediction.ts';
import { SmallCandles } from '../../../charts/candles/small-candles.tsx';
import { Badge } from '../../../ui/layout/badge.tsx';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { ErrorState } from '../../../ui/status/state.tsx';
import { fetchUserPredictions } from '../admin-api.ts';
import { ExactTime } from '../exact-time.tsx';
import styles from './user-detail.module.css';

export interface UserPredictionsProps {
  user: AdminUser;
  zone: string;
  nowMs: number;
}

export function UserPredictions({ user, zone, nowMs }: UserPredictionsProps) {
  const query = useQuery({
    queryKey: ['admin', 'user-predictions', user.id],
    queryFn: ({ signal }) => fetchUserPredictions(user.id, signal),
    networkMode: 'always',
  });
  const predictions = query.data;
  if (predictions === undefined) {
    if (!query.isError) return <Skeleton className={styles.waiting} />;
    return (
      <ErrorState title={query.error.message} onRetry={() => void query.refetch()} isRetrying={query.isFetching} />
    );
  }
  if (predictions.length === 0) return <p className={styles.none}>No recent predictions for this user.</p>;
  return (
    <div className={styles.predictions}>
      {predictions.map((prediction) => (
        <Prediction key={prediction.id} prediction={prediction} zone={zone} nowMs={nowMs} />
      ))}
    </div>
  );
}

interface PredictionProps {
  prediction: UserPrediction;
  zone: string;
  nowMs: number;
}

function Prediction({
  prediction: { cryptocurrency, timeframe, modelLabel, createdMs, candles, band },
  zone,
  nowMs,
}: PredictionProps) {
  const title = `${cryptocurrency} ${timeframe} ${modelLabel}`;
  return (
    <article className="card min-width-0" aria-label={title}>
      <header className={styles.predictionHead}>
        <h3>{cryptocurrency}</h3>
        <Badge>{timeframe}</Badge>
        <span className="ellipsis muted min-width-0">{modelLabel}</span>
        <span className={styles.at}>
          <ExactTime timeMs={createdMs} zone={zone} form="minute" nowMs={nowMs} hasFocus />
        </span>
      </header>
      <div className={styles.chart}>
        <SmallCandles
          candles={candles}
          joinS={savedJoinS(candles)}
          name={`Saved prediction, ${title}`}
          decimals={savedDecimals(cryptocurrency, candles)}
          band={band}
        />
      </div>
    </article>
  );
}
