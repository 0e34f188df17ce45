/** What the forecast says: the expected range as the large figure, beside it the gauge and the summary of its one path. */
import { Link } from 'react-router';
import type { LatestForecast } from '#domain/forecast/latest-forecast.ts';
import { MODELS } from '#domain/forecast/models.ts';
import { bandAtEnd } from '#domain/forecast/quantiles.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { formatPrice, percentChange } from '#domain/format/price.ts';
import { NEEDLE_MAX_DEG, narrativeText, type PathReading, readPath, WAITING } from '#domain/market/narrative.ts';
import { RESEARCH_ONLY } from '#domain/site/research-only.ts';
import { Gauge } from '../../charts/plots/gauge.tsx';
import styles from './path-readout.module.css';

export interface PathReadoutProps {
  latest: LatestForecast | null;
  decimals: number;
}

export function PathReadout({ latest, decimals }: PathReadoutProps) {
  const reading = latest === null ? null : readingOf(latest);
  const end = latest === null || reading === null ? null : bandAtEnd(latest.band);
  return (
    <div className={styles.readout}>
      <ExpectedRange end={end} lastClose={latest?.lastClose ?? null} decimals={decimals} />
      <div className={styles.gauge}>
        <Gauge
          name="This path, up or down"
          angle={reading?.needleDeg ?? null}
          max={NEEDLE_MAX_DEG}
          left="Down"
          right="Up"
          description={reading === null ? WAITING : describeLean(reading)}
        />
        <p className={styles.move} aria-hidden="true">
          This path:{' '}
          <span className={styles.percent}>{reading === null ? '–' : percentChange(reading.movePercent)}</span>
        </p>
      </div>
      <div className={styles.text}>
        <p className={styles.narrative} data-narrative={reading?.state ?? 'waiting'}>
          {reading === null ? WAITING : narrativeText(reading, end, decimals)}
        </p>
        <p className={styles.note}>
          One path of many: the gauge shows which way it leans, not what to do. {MODELS.bobcat.label} is useful for
          about the first 30 of its {HORIZON_BARS} bars.{' '}
          <Link to="/ai-models" className={latest === null ? styles.later : undefined}>
            How well it forecasts
          </Link>
        </p>
        <p className="muted size-12">{RESEARCH_ONLY}</p>
      </div>
    </div>
  );
}

interface ExpectedRangeProps {
  /** Null until it is known. */
  end: ReturnType<typeof bandAtEnd>;
  lastClose: number | null;
  decimals: number;
}

function ExpectedRange({ end, lastClose, decimals }: ExpectedRangeProps) {
  const range = (low: number, high: number): string => `${formatPrice(low, decimals)} – ${formatPrice(high, decimals)}`;
  const away = (price: number): string => (lastClose === null ? '–' : percentChange((price / lastClose - 1) * 100));
  return (
    <div className={styles.range} data-expected-range={end !== null || undefined}>
      <p className="muted size-13">Expected range in {HORIZON_BARS} minutes</p>
      <p className={styles.figure}>{end === null ? '–' : range(end.lower80, end.upper80)}</p>
      <p className="size-13">
        {end === null ? (
          WAITING
        ) : (
          <span>
            <span className="figures">{`${away(end.lower80)} to ${away(end.upper80)}`}</span> from the last close
          </span>
        )}
      </p>
      <p className="muted size-12">
        The 80% band: four in five closes should end inside.
        <br />
        95% band: <span className="figures">{end === null ? '–' : range(end.lower95, end.upper95)}</span>
      </p>
    </div>
  );
}

/** Null when the path is shorter than the horizon, because the rest is unknown. */
function readingOf({ lastClose, path }: LatestForecast): PathReading | null {
  return path.length < HORIZON_BARS ? null : readPath([lastClose, ...path.map(({ close }) => close)]);
}

/** The needle's side as text, so that color and angle are not the only cues. */
function describeLean({ state, movePercent, needleDeg }: PathReading): string {
  const side = state === 'small' ? 'in the middle' : needleDeg > 0 ? 'up' : 'down';
  return `${side}, it moves ${percentChange(movePercent)}`;
}
