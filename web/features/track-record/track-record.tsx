/** Verdict, counts and skill first, then hits and misses alike; the other figures open on request. */
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TrackPeriod, TrackSummary } from '#domain/record/figures/track-summary.ts';
import { Segmented } from '../../ui/forms/segmented.tsx';
import { Evidence } from '../../ui/layout/evidence.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { ErrorState } from '../../ui/status/state.tsx';
import { BandsSection } from './results/bands-section.tsx';
import { HitsAndMisses } from './results/hits-and-misses.tsx';
import { LatestRecords } from './results/latest-records.tsx';
import { OtherMeasures } from './results/other-measures.tsx';
import { SkillBreakdown } from './results/skill-breakdown.tsx';
import { SkillSection } from './results/skill-section.tsx';
import { TrackVerdict } from './results/track-verdict.tsx';
import styles from './track-record.module.css';
import { fetchSummary } from './track-record-api.ts';
import { PERIODS } from './track-record-labels.ts';

export function TrackRecord() {
  const [period, setPeriod] = useState<TrackPeriod>('7d');
  const summary = useTrackSummary(period);
  return (
    <div className={styles.block}>
      <div className={styles.choice}>
        <Segmented label="Period" value={period} options={PERIODS} onChange={setPeriod} />
      </div>
      <Queried summary={summary} />
    </div>
  );
}

function Queried({ summary }: { summary: ReturnType<typeof useTrackSummary> }) {
  if (summary.isPending) {
    return (
      <div className={styles.block} role="status" aria-label="Loading the record's figures" data-waiting-figures>
        <Skeleton className={styles.waitingVerdict} needsScript="Verdict and counts" />
        <Skeleton className={styles.waitingFigure} needsScript="Figures" />
      </div>
    );
  }
  if (summary.isError && summary.data === undefined) {
    return (
      <ErrorState
        title="We couldn’t load the record’s figures."
        text="You can still fetch and check the raw files below."
        onRetry={() => void summary.refetch()}
        isRetrying={summary.isFetching}
      />
    );
  }
  return (
    <div
      className={summary.isPlaceholderData ? 'old-figures' : undefined}
      aria-busy={summary.isPlaceholderData || undefined}
    >
      <Loaded summary={summary.data} />
    </div>
  );
}

function Loaded({ summary }: { summary: TrackSummary }) {
  const hasScores = summary.counts.known > 0;
  return (
    <div className={styles.block}>
      <TrackVerdict summary={summary} />
      {hasScores && (
        <>
          <SkillSection summary={summary} />
          <Evidence>
            <div className={styles.block}>
              <SkillBreakdown summary={summary} />
              <BandsSection summary={summary} />
              <OtherMeasures summary={summary} />
            </div>
          </Evidence>
          <HitsAndMisses best={summary.best} worst={summary.worst} />
        </>
      )}
      <LatestRecords market={summary.market} cards={summary.latest} sealed={summary.sealed} />
    </div>
  );
}

/** A slot is five minutes; polling every minute roughly matches how often anything changes. */
const AGAIN_MS = 60_000;

function useTrackSummary(period: TrackPeriod): UseQueryResult<TrackSummary> {
  return useQuery({
    queryKey: ['track-record', period],
    queryFn: ({ signal }) => fetchSummary(period, signal),
    placeholderData: keepPreviousData,
    staleTime: AGAIN_MS,
    refetchInterval: AGAIN_MS,
  });
}
