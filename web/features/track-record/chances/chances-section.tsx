/** Recorded chances: the verdict and counts first, then scores, reliability, and the breakdown on request. */
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { shortName } from '#domain/forecast/figures/figure-messages.ts';
import { groupedCount } from '#domain/format/count.ts';
import { CHANCE_MINUTES, RECORDED_WINDOWS, type RecordedWindow } from '#domain/record/chances/chance-moments.ts';
import type { ChanceSummary } from '#domain/record/chances/chance-summary.ts';
import type { TrackPeriod } from '#domain/record/figures/track-summary.ts';
import { chanceVerdict } from '#domain/record/messages/chance-messages.ts';
import { Segmented } from '../../../ui/forms/segmented.tsx';
import { Evidence } from '../../../ui/layout/evidence.tsx';
import { FigureStrip, StripFigure } from '../../../ui/layout/figure-strip.tsx';
import { SectionHeading } from '../../../ui/layout/section-heading.tsx';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { ErrorState } from '../../../ui/status/state.tsx';
import { describeMissed, describeReasons } from '../record-messages.ts';
import { fetchChances } from '../track-record-api.ts';
import { shareLabel } from '../track-record-labels.ts';
import { ChanceReliability } from './chance-reliability.tsx';
import { ChanceBreakdown, ChanceScores } from './chance-tables.tsx';
import styles from './chances-section.module.css';

const WINDOWS = RECORDED_WINDOWS.map((window) => ({ value: String(window), label: `${window} minutes` }));

const VOID_CHANCES = {
  'candles-missing': 'candles of the window were missing',
  'venue-changed': 'the venue changed during the window',
  'market-closed': 'the market was halted',
  'candles-gone': 'its candles were no longer stored',
};

export function ChancesSection({ period }: { period: TrackPeriod }) {
  const [window, setWindow] = useState<RecordedWindow>(RECORDED_WINDOWS[0]);
  const chances = useChances(window, period);
  const choose = (text: string) => setWindow(RECORDED_WINDOWS.find((known) => String(known) === text) ?? window);
  return (
    <section className="grid one-column gap-4 min-width-0" aria-labelledby="chances">
      <SectionHeading
        id="chances"
        beside={<Segmented label="Window" value={String(window)} options={WINDOWS} onChange={choose} />}
        lead={`How likely is it that the running ${window}-minute candle closes above its open? Each coin’s chance is sealed ${minutesOf(window)} minutes in, and scored when the window has closed.`}
      >
        Chances
      </SectionHeading>
      <Queried chances={chances} />
    </section>
  );
}

function minutesOf(window: RecordedWindow): string {
  const minutes = CHANCE_MINUTES[window];
  return `${minutes.slice(0, -1).join(', ')} and ${minutes.at(-1)}`;
}

function Queried({ chances }: { chances: UseQueryResult<ChanceSummary> }) {
  if (chances.isPending) {
    return (
      <div role="status" aria-label="Loading the record of chances">
        <Skeleton className={styles.waitingVerdict} needsScript="Verdict and counts of chances" />
      </div>
    );
  }
  if (chances.isError && chances.data === undefined) {
    return (
      <ErrorState
        title="We couldn’t load the record of chances."
        text="The forecasts’ figures and the raw files still work."
        onRetry={() => void chances.refetch()}
        isRetrying={chances.isFetching}
      />
    );
  }
  return (
    <div
      className={chances.isPlaceholderData ? 'old-figures' : undefined}
      aria-busy={chances.isPlaceholderData || undefined}
    >
      <Loaded summary={chances.data} />
    </div>
  );
}

function Loaded({ summary }: { summary: ChanceSummary }) {
  const isScored = summary.all.n > 0;
  return (
    <div className="grid one-column gap-6">
      <div className="grid gap-1 readable-width">
        {chanceVerdict(summary).map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
      <Counts summary={summary} />
      {isScored && (
        <>
          <ChanceScores summary={summary} />
          <ChanceReliability key={summary.window} summary={summary} />
          <Evidence label="Show chances by market and week">
            <ChanceBreakdown summary={summary} />
          </Evidence>
        </>
      )}
    </div>
  );
}

function Counts({ summary }: { summary: ChanceSummary }) {
  const { counts, voidReasons, missReasons, model, window } = summary;
  const missed = Math.max(0, counts.expected - counts.issued);
  const voidReport = describeReasons(voidReasons, VOID_CHANCES);
  const missReport = describeMissed(missed, missReasons);
  return (
    <div className="card">
      <FigureStrip columns={6}>
        <StripFigure name="Due">{groupedCount(counts.expected)}</StripFigure>
        <StripFigure name="Issued">{groupedCount(counts.issued)}</StripFigure>
        <StripFigure name="Missed" detail={counts.expected > 0 && `${shareLabel(missed, counts.expected)} of due`}>
          {groupedCount(missed)}
        </StripFigure>
        <StripFigure name="Scored">{groupedCount(counts.known)}</StripFigure>
        <StripFigure
          name="Unscorable"
          detail={counts.issued > 0 && `${shareLabel(counts.void, counts.issued)} of issued`}
        >
          {groupedCount(counts.void)}
        </StripFigure>
        <StripFigure name="Waiting">{groupedCount(counts.waiting)}</StripFigure>
      </FigureStrip>
      <p className={styles.note}>
        <span>
          {shortName(model)}’s chances of {window}-minute windows, UTC. Missed: a moment that passed without a chance.
          None is ever added later.
        </span>
        {missReport !== '' && <span>{` Of these: ${missReport}.`}</span>}
        {voidReport !== '' && <span>{` Unscorable: ${voidReport}.`}</span>}
      </p>
    </div>
  );
}

/** Windows close every few minutes, and figures are computed once a minute. */
const AGAIN_MS = 60_000;

function useChances(window: RecordedWindow, period: TrackPeriod): UseQueryResult<ChanceSummary> {
  return useQuery({
    queryKey: ['track-record', 'chances', window, period],
    queryFn: ({ signal }) => fetchChances(window, period, signal),
    placeholderData: keepPreviousData,
    staleTime: AGAIN_MS,
    refetchInterval: AGAIN_MS,
  });
}
