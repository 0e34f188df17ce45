/** The reading of this one path: needle, summary, and how reliable both are. */
import { Link } from 'react-router';
import type { LatestForecast } from '#domain/forecast/latest-forecast.ts';
import { MODELS } from '#domain/forecast/models.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { percentChange } from '#domain/format/price.ts';
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
  return (
    <div className={styles.readout}>
      <div className={styles.gauge}>
        <Gauge
          name="Buy or sell gauge"
          angle={reading?.needleDeg ?? null}
          max={NEEDLE_MAX_DEG}
          left="Sell"
          right="Buy"
          description={reading === null ? WAITING : describeLean(reading)}
        />
        <p className={styles.move} aria-hidden="true">
          <span className="figures">{reading === null ? '–' : percentChange(reading.movePercent)}</span>
        </p>
      </div>
      <div className={styles.text}>
        <p className={styles.narrative} data-narrative={reading?.state ?? 'waiting'}>
          {latest === null || reading === null ? WAITING : narrativeText(reading, bandAtEnd(latest), decimals)}
        </p>
        <p className="muted size-12">
          One path of many: the gauge shows which way it leans, not what to do. {MODELS.bobcat.label} is useful for
          about the first 30 of its {HORIZON_BARS} bars. <Link to="/ai-models">How well it forecasts</Link>
        </p>
        <p className="muted size-12">{RESEARCH_ONLY}</p>
      </div>
    </div>
  );
}

/** Null when the path is shorter than the horizon, because the rest is unknown. */
function readingOf({ lastClose, path }: LatestForecast): PathReading | null {
  return path.length < HORIZON_BARS ? null : readPath([lastClose, ...path.map(({ close }) => close)]);
}

function bandAtEnd({ band }: LatestForecast): { lower80: number; upper80: number } | null {
  const [lower80, upper80] = [band.lower80.at(-1), band.upper80.at(-1)];
  return lower80 === undefined || upper80 === undefined ? null : { lower80, upper80 };
}

/** The needle's side as text, so that color and angle are not the only cues. */
function describeLean({ state, movePercent, needleDeg }: PathReading): string {
  const side = state === 'small' ? 'in the middle' : needleDeg > 0 ? 'toward buy' : 'toward sell';
  return `${side}, this path moves ${percentChange(movePercent)}`;
}
