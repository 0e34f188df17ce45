import { Link } from 'react-router';
import { horizonDuration } from '#domain/forecast/horizon-duration.ts';
import { groupedCount } from '#domain/format/count.ts';
import { zonedMinute } from '#domain/format/zoned-time.ts';
import { DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import type { TrackSummary } from '#domain/record/figures/track-summary.ts';
import { slotSecondsOf, timeframeOfRecord } from '#domain/record/ledger/ledger.ts';
import { trackVerdict } from '#domain/record/messages/verdict.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { useNow } from '../../../ui/browser/use-now.ts';
import { Badge } from '../../../ui/layout/badge.tsx';
import { FigureStrip, StripFigure } from '../../../ui/layout/figure-strip.tsx';
import { Notice } from '../../../ui/layout/notice.tsx';
import { AsOf } from '../../../ui/status/as-of.tsx';
import { describeMissed, describeReasons } from '../record-messages.ts';
import { MARKET_LABELS, shareLabel, VOID_MESSAGES } from '../track-record-labels.ts';
import styles from './track-verdict.module.css';

/** Figures change at most once a minute. */
const AGE_MS = 10_000;

export function TrackVerdict({ summary }: { summary: TrackSummary }) {
  const { market, counts } = summary;
  const label = MARKET_LABELS[market];
  const timeframe = timeframeOfRecord(summary);
  return (
    <section className="grid one-column gap-4" aria-labelledby="verdict">
      <div className={styles.head}>
        <h2 id="verdict">Verdict</h2>
        <Badge tone={market === 'live' ? 'neutral' : 'warning'}>{market}</Badge>
      </div>
      {counts.issued === 0 ? <Beginning timeframe={timeframe} /> : <Sentences sentences={trackVerdict(summary)} />}
      {counts.issued > 0 && counts.known === 0 && <p className={styles.later}>{firstScores(timeframe)}</p>}
      {counts.known === 0 && (
        <p className={styles.market}>
          Meanwhile, <Link to="/ai-models">see what each model was measured at</Link>.
        </p>
      )}
      {market === 'live' ? (
        <p className={styles.market}>{`${label.title} ${label.text}`}</p>
      ) : (
        <Notice tone="warning" title={label.title}>
          <p>{label.text}</p>
        </Notice>
      )}
      <Counts summary={summary} />
    </section>
  );
}

function Sentences({ sentences }: { sentences: readonly string[] }) {
  return (
    <div className={styles.sentences}>
      {sentences.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

function firstScores(timeframe: Timeframe): string {
  const wait = timeframe === DEFAULT_TIMEFRAME ? 'about an hour' : horizonDuration(timeframe);
  return `The first scores come ${wait} after the first forecast.`;
}

/** Shown before the first record: the time until the next one. */
function Beginning({ timeframe }: { timeframe: Timeframe }) {
  const nowMs = useNow(1000);
  const slotS = slotSecondsOf(timeframe);
  const left = slotS - (Math.floor(nowMs / 1000) % slotS);
  const clock = `${String(Math.floor(left / 60)).padStart(2, '0')}:${String(left % 60).padStart(2, '0')}`;
  return (
    <div className={styles.sentences}>
      <p>The record has just started. There is nothing to score yet.</p>
      <p className={styles.later}>
        The next slot opens in <span className="figures">{clock}</span>. {firstScores(timeframe)}
      </p>
    </div>
  );
}

function Counts({ summary }: { summary: TrackSummary }) {
  const { zone } = useTimeZone();
  const nowMs = useNow(AGE_MS);
  const { firstMs, lastMs, counts, voidReasons, missReasons } = summary;
  const missed = Math.max(0, counts.expected - counts.issued);
  const voidReport = describeReasons(voidReasons, VOID_MESSAGES);
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
        <StripFigure name="Void" detail={counts.issued > 0 && `${shareLabel(counts.void, counts.issued)} of issued`}>
          {groupedCount(counts.void)}
        </StripFigure>
        <StripFigure name="Waiting">{groupedCount(counts.waiting)}</StripFigure>
      </FigureStrip>
      <p className={styles.note}>
        {firstMs !== null && lastMs !== null && (
          <span>{`From ${zonedMinute(firstMs, zone)} to ${zonedMinute(lastMs, zone)}. `}</span>
        )}
        <AsOf label="Computed" timeMs={summary.computedMs} nowMs={nowMs} />
        <span> Missed: a slot that passed without a forecast. None is ever added later.</span>
        {missReport !== '' && <span>{` Of these: ${missReport}.`}</span>}
        {voidReport !== '' && <span>{` Void: ${voidReport}.`}</span>}
      </p>
    </div>
  );
}
