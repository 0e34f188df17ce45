/** Verdict, counts and skill first, then hits and misses alike; the other figures open on request. */
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { DEFAULT_TIMEFRAME, type Timeframe, timeframeOfText } from '#domain/market/timeframes.ts';
import type { TrackPeriod, TrackSummary } from '#domain/record/figures/track-summary.ts';
import { timeframeOfRecord } from '#domain/record/ledger/ledger.ts';
import { Segmented } from '../../ui/forms/segmented.tsx';
import { Evidence } from '../../ui/layout/evidence.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { ErrorState } from '../../ui/status/state.tsx';
import { ChancesSection } from './chances/chances-section.tsx';
import { BandsSection } from './results/bands-section.tsx';
import { HitsAndMisses } from './results/hits-and-misses.tsx';
import { LatestRecords } from './results/latest-records.tsx';
import { OtherMeasures } from './results/other-measures.tsx';
import { ReleasesSection } from './results/releases-section.tsx';
import { SkillBreakdown } from './results/skill-breakdown.tsx';
import { SkillSection } from './results/skill-section.tsx';
import { TrackVerdict } from './results/track-verdict.tsx';
import styles from './track-record.module.css';
import { fetchSummary } from './track-record-api.ts';
import { CANDLES, PERIODS } from './track-record-labels.ts';

export function TrackRecord() {
  const [period, setPeriod] = useState<TrackPeriod>('7d');
  const [timeframe, setTimeframe] = useTimeframe();
  const summary = useTrackSummary(timeframe, period);
  return (
    <div className={styles.block}>
      <div className={styles.choice}>
        <Segmented label="Candles" value={timeframe} options={CANDLES} onChange={setTimeframe} />
        <Segmented label="Period" value={period} options={PERIODS} onChange={setPeriod} />
      </div>
      <Queried summary={summary} />
      {/* Figures of another height take the waiting ones' place: what follows appears below them, and nothing moves. */}
      {!summary.isPending && <ChancesSection period={period} />}
    </div>
  );
}

/** In the address, as on /kat: `?tf=5min`, absent at one minute. */
function useTimeframe(): [Timeframe, (timeframe: Timeframe) => void] {
  const [address, setAddress] = useSearchParams();
  const timeframe = timeframeOfText(address.get('tf') ?? '') ?? DEFAULT_TIMEFRAME;
  const choose = (next: Timeframe) => {
    const changed = new URLSearchParams(address);
    if (next === DEFAULT_TIMEFRAME) changed.delete('tf');
    else changed.set('tf', next);
    setAddress(changed, { preventScrollReset: true });
  };
  return [timeframe, choose];
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
  const timeframe = timeframeOfRecord(summary);
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
              <ReleasesSection summary={summary} />
              <OtherMeasures summary={summary} />
            </div>
          </Evidence>
          <HitsAndMisses timeframe={timeframe} best={summary.best} worst={summary.worst} />
        </>
      )}
      <LatestRecords
        // Other candles have other symbols, and may have no revealed forecast yet.
        key={timeframe}
        market={summary.market}
        timeframe={timeframe}
        cards={summary.latest}
        sealed={summary.sealed}
      />
    </div>
  );
}

/** A slot is five minutes or more; polling every minute roughly matches how often anything changes. */
const AGAIN_MS = 60_000;

function useTrackSummary(timeframe: Timeframe, period: TrackPeriod): UseQueryResult<TrackSummary> {
  return useQuery({
    queryKey: ['track-record', timeframe, period],
    queryFn: ({ signal }) => fetchSummary(timeframe, period, signal),
    placeholderData: keepPreviousData,
    staleTime: AGAIN_MS,
    refetchInterval: AGAIN_MS,
  });
}
