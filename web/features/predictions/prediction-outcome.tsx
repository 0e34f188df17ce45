/** One prediction's outcome as text: first what its bands held, then the error of its one drawn path. */
import { bandAtEnd, type ForecastBand } from '#domain/forecast/quantiles.ts';
import { formatPrice } from '#domain/format/price.ts';
import { zonedRecent } from '#domain/format/zoned-time.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';
import { NO_BANDS } from '#domain/record/messages/coverage-messages.ts';
import { describeAverage, describeClosing } from '#domain/record/messages/score-messages.ts';
import { bandCoverage } from '#domain/record/scoring/band-coverage.ts';
import { type KnownOutcome, REFUND_LABELS, VOID_LABELS } from '#domain/record/scoring/outcome.ts';
import { CoverageBadge } from '../../site/coverage-badge.tsx';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { useNow } from '../../ui/browser/use-now.ts';
import { Badge } from '../../ui/layout/badge.tsx';
import styles from './prediction-outcome.module.css';
import type { ShownOutcome } from './use-outcomes.ts';

interface OutcomeTextProps {
  outcome: ShownOutcome;
  hasFailed: boolean;
  /** Null if none was saved. */
  band: ForecastBand | null;
  timeframe: Timeframe;
  decimals: number;
}

/** When the outcome will be known, its score, or why there is none. */
export function OutcomeText({ outcome, hasFailed, band, timeframe, decimals }: OutcomeTextProps) {
  if (outcome === undefined)
    return hasFailed ? <p className={styles.outcomeText}>We couldn’t load its outcome.</p> : null;
  if (outcome === null) return <p className={styles.outcomeText}>No outcome is stored for this prediction.</p>;
  switch (outcome.state) {
    case 'known':
      return <Score outcome={outcome} band={band} timeframe={timeframe} />;
    case 'void':
      return (
        <p className={styles.outcomeText}>
          <span>{VOID_LABELS[outcome.void_reason]}</span>
          {outcome.returned_at && <span className="text">{` Returned: ${REFUND_LABELS[outcome.void_reason]}.`}</span>}
        </p>
      );
    case 'waiting':
      return (
        <>
          {band !== null && <RangeAtEnd band={band} decimals={decimals} />}
          <Waiting dueAt={outcome.due_at} />
        </>
      );
  }
}

interface ScoreProps {
  outcome: KnownOutcome;
  band: ForecastBand | null;
  timeframe: Timeframe;
}

function Score({ outcome: { score, candles }, band, timeframe }: ScoreProps) {
  return (
    <div className={styles.outcomeText}>
      <p className={styles.coverage}>
        {band === null ? (
          <Badge>{NO_BANDS}</Badge>
        ) : (
          <CoverageBadge
            coverage={bandCoverage(
              band,
              candles.map(({ close }) => close),
            )}
          />
        )}
      </p>
      <p>{describeClosing(score)}</p>
      <p>{describeAverage(score, timeframe)}</p>
    </div>
  );
}

/** What the forecast promises while its outcome is pending. */
function RangeAtEnd({ band, decimals }: { band: ForecastBand; decimals: number }) {
  const end = bandAtEnd(band);
  if (end === null) return null;
  const [low, high] = [end.lower80, end.upper80].map((price) => formatPrice(price, decimals));
  return (
    <p className={styles.outcomeText}>
      80% range at its end: <span className="figures text">{`${low} to ${high}`}</span>
    </p>
  );
}

const NOW_MS = 10_000;

function Waiting({ dueAt }: { dueAt: string }) {
  const { zone } = useTimeZone();
  const nowMs = useNow(NOW_MS);
  const dueMs = Date.parse(dueAt);
  if (!(dueMs > nowMs)) return <p className={styles.outcomeText}>Waiting for its outcome …</p>;
  return (
    <p className={styles.outcomeText}>
      Outcome known at{' '}
      <time className="figures" dateTime={new Date(dueMs).toISOString()}>
        {zonedRecent(dueMs, nowMs, zone)}
      </time>
    </p>
  );
}
